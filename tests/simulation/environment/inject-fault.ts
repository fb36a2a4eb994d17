import { ApiError } from '@kerf/runtime'
import type { Fault } from '../runs/simulated-run.ts'
import type { Environment } from './environment.ts'
import { holdDisks } from './held-disks.ts'
import { picked } from './tolerant-calls.ts'

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>

const loseWatch = ({ api, processes }: Environment, { plural, expired }: FaultOf<'watch-lost'>): void => {
  if (expired) api.compact()
  const error = expired
    ? new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
    : undefined
  processes.leader.loseWatches(plural, error)
}

const beginOutage = ({ clock, cloud, shortages }: Environment, { selector, duration }: FaultOf<'outage'>): void => {
  const restock = cloud.stockOut(selector)
  const end = shortages.begin()
  clock.timer(duration, () => {
    end()
    restock()
  })
}

const slowDetachment = (environment: Environment, { duration }: FaultOf<'slow-detach'>): void => {
  void holdDisks(environment, true)
  environment.clock.timer(duration, () => void holdDisks(environment, false))
}

const makeNodeSick = (environment: Environment, { pick, health, duration }: FaultOf<'sick-node'>): void => {
  const name = picked(environment.nodes(), pick)?.metadata.name
  if (name === undefined) return
  environment.setHealth(name, health)
  environment.clock.timer(duration, () => environment.setHealth(name, 'healthy'))
}

const skewClock = ({ clock, clockSkews, processes }: Environment, { by, duration }: FaultOf<'clock-jump'>): void => {
  const { leader } = processes
  const end = clockSkews.begin()
  leader.clock.skew = by
  clock.timer(duration, () => {
    end()
    leader.clock.skew = 0
  })
}

/** For each kind of fault, the function that begins it. */
const injectors: { readonly [Kind in Fault['kind']]: (environment: Environment, fault: FaultOf<Kind>) => void } = {
  call: ({ calls }, fault) => calls.add(fault),
  cloud: (environment, fault) => environment.addCloudFault(fault),
  'watch-lost': loseWatch,
  'watch-lag': ({ processes }, { plural, duration }) => processes.leader.client.hold(plural, duration),
  outage: beginOutage,
  'never-registers': (environment, { count }) => {
    environment.neverRegister += count
  },
  'slow-detach': slowDetachment,
  'instance-dies': ({ cloud }, { pick }) => cloud.kill(pick),
  'spot-notice': ({ cloud }, { pick }) => cloud.interrupt(pick),
  'sick-node': makeNodeSick,
  'clock-jump': skewClock,
  'hand-over': ({ processes }) => processes.handOver(),
  'lease-unreachable': ({ processes }, { duration }) => processes.leader.loseLease(duration),
  'second-instance': ({ processes }, { duration }) => processes.startExtra(duration),
}

/** Begins a fault. If the fault has a duration, it ends after that time. */
export const injectFault = <Kind extends Fault['kind']>(environment: Environment, fault: FaultOf<Kind>): void => {
  const inject = injectors[fault.kind as Kind]
  inject(environment, fault)
}
