import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { issueCertificate } from '@kerf/runtime/testing'
import type { Autoscaler } from '../beside/autoscaler.ts'
import type { DisturbedCluster } from './disturbed-cluster.ts'

/** How one autoscaler recovered from one disturbance. */
export interface Recovery {
  /** Seconds from the disturbance, or from its end, until a pending pod had its NodeClaim. Undefined if that exceeded the limit. */
  readonly seconds: number | undefined
  /** How often the process ended and was restarted. */
  readonly restarts: number
  /** How many writes a stopped leader made after it was continued. */
  readonly lateWrites?: number
}

export interface Disturbance {
  readonly name: string
  readonly title: string
  run(cluster: DisturbedCluster, autoscaler: Autoscaler): Promise<Recovery>
}

/** How long to wait for a NodeClaim, in seconds. */
const LIMIT = 300
const STOPPED_FOR = 60

/** Waits until the autoscaler works, which is the case when the first pod has its NodeClaim. */
const working = async (cluster: DisturbedCluster): Promise<void> => {
  const claimed = await cluster.pod(LIMIT)
  if ((await claimed()) === undefined) throw new Error('the autoscaler did not begin to work')
  await setTimeout(5_000)
}

const silence: Disturbance = {
  name: 'silence',
  title: 'every open connection goes silent',
  run: async (cluster, autoscaler) => {
    const server = `https://127.0.0.1:${cluster.gateway.port}`
    const process = cluster.start(
      autoscaler,
      cluster.kubeconfig({ server, user: { token: cluster.tokenOf('worker') } }),
    )
    await working(cluster)
    cluster.gateway.drop()
    const claimed = await cluster.pod(LIMIT)
    return { seconds: await claimed(), restarts: process.restarts }
  },
}

const refusal: Disturbance = {
  name: 'refusal',
  title: 'everything is refused (403) for the first 10 s',
  run: async (cluster, autoscaler) => {
    const process = cluster.start(autoscaler, cluster.kubeconfig({ user: { token: cluster.tokenOf('fresh') } }))
    await setTimeout(10_000)
    await cluster.grant('fresh')
    const claimed = await cluster.pod(LIMIT)
    return { seconds: await claimed(), restarts: process.restarts }
  },
}

const token: Disturbance = {
  name: 'token',
  title: 'the token of a file ends, and another is in the file',
  run: async (cluster, autoscaler) => {
    const file = join(cluster.directory, 'token')
    const first = await cluster.boundToken('first')
    writeFileSync(file, first.token)
    const process = cluster.start(autoscaler, cluster.kubeconfig({ user: { tokenFile: file } }))
    await working(cluster)
    writeFileSync(`${file}.next`, (await cluster.boundToken('second')).token)
    renameSync(`${file}.next`, file)
    await first.end()
    const claimed = await cluster.pod(LIMIT)
    return { seconds: await claimed(), restarts: process.restarts }
  },
}

const certificate: Disturbance = {
  name: 'certificate',
  title: 'the client certificate of a file ends, and another is in the file',
  run: async (cluster, autoscaler) => {
    await cluster.grant('certified')
    const [cert, key] = [join(cluster.directory, 'client.crt'), join(cluster.directory, 'client.key')]
    const until = new Date(Date.now() + 90_000)
    const write = (issued: { readonly cert: string; readonly key: string }): void => {
      writeFileSync(cert, issued.cert)
      writeFileSync(key, issued.key)
    }
    write(issueCertificate('certified', { issuer: cluster.authority, until }))
    const user = { 'client-certificate': cert, 'client-key': key }
    const process = cluster.start(autoscaler, cluster.kubeconfig({ user }))
    await working(cluster)
    write(issueCertificate('certified', { issuer: cluster.authority }))
    await setTimeout(Math.max(0, until.getTime() + 1_000 - Date.now()))
    const claimed = await cluster.pod(LIMIT)
    return { seconds: await claimed(), restarts: process.restarts }
  },
}

const stoppedLeader: Disturbance = {
  name: 'leader',
  title: `the leader is stopped for ${STOPPED_FOR} s`,
  run: async (cluster, autoscaler) => {
    const election = {
      DISABLE_LEADER_ELECTION: 'false',
      LEADER_ELECT: 'true',
      LEADER_ELECTION_NAMESPACE: 'kube-system',
    }
    const leader = cluster.start(
      autoscaler,
      cluster.kubeconfig({ user: { token: cluster.tokenOf('leader') } }),
      election,
    )
    await working(cluster)
    cluster.start(autoscaler, cluster.kubeconfig({ user: { token: cluster.tokenOf('other') } }), election)
    await setTimeout(5_000)
    // Give the leader work that it cannot finish before it is stopped.
    for (let pod = 0; pod < 20; pod++) await cluster.pod(LIMIT)
    await setTimeout(1_200)
    if (cluster.writesOfLeader(0) === 0) throw new Error('the audit log has no write of the leader')
    leader.signal('SIGSTOP')
    const stoppedAt = Date.now()
    const claimed = await cluster.pod(LIMIT)
    const seconds = await claimed()
    await setTimeout(Math.max(0, stoppedAt + STOPPED_FOR * 1_000 - Date.now()))
    const goesOnAt = Date.now()
    leader.signal('SIGCONT')
    await setTimeout(20_000)
    return { seconds, restarts: leader.restarts, lateWrites: cluster.writesOfLeader(goesOnAt) }
  },
}

/** All disturbances, in the order of the table. */
export const disturbances: readonly Disturbance[] = [silence, refusal, token, certificate, stoppedLeader]
