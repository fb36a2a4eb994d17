import { type ScheduleOptions, scheduleInSteps, trialsWithin } from '@kerf/engine'
import { expect, test } from 'vitest'
import { type ControllerSettings, defaultControllerSettings, type Scheduler } from '../deps.ts'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { createPendingPods, createPoolOfType } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import { simulationOptions } from './provisioning-options.ts'

const start = harnessPerTest()

/**
 * The options that do not depend on settings. They are constants of a decision, parameters of `kerf plan`, or properties of the provider.
 */
type OtherOption =
  | 'vocabulary'
  | 'reservedMode'
  | 'maxInstanceTypes'
  | 'prefersFewerNodes'
  | 'withoutSpotChoiceOf'
  | 'countsZones'
  | 'consolidation'
  | 'reservationIdLabel'
  | 'unsupportedProvisioners'
  | 'unsupportedTopologyKeys'

type SettingOption = Exclude<keyof ScheduleOptions, OtherOption>

const defaultSpreadConstraints = [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] as const
const { featureGates } = defaultControllerSettings
const PODS = 3

/** For each option, a setting with a value other than its default, and the resulting value of the option. */
const cases: {
  readonly [Option in SettingOption]: readonly [Partial<ControllerSettings>, ScheduleOptions[Option]]
} = {
  preferencePolicy: [{ preferencePolicy: 'Ignore' }, 'Ignore'],
  minValuesPolicy: [{ minValuesPolicy: 'BestEffort' }, 'BestEffort'],
  reservedCapacity: [{ featureGates: { ...featureGates, ReservedCapacity: false } }, false],
  ignoreDraRequests: [{ ignoreDraRequests: false }, false],
  defaultSpreadConstraints: [{ defaultSpreadConstraints }, defaultSpreadConstraints],
  planBudget: [{ planBudget: 50 }, trialsWithin(50, PODS)],
  nodeOverheadCost: [{ nodeOverheadCost: 0.25 }, 0.25],
  fewerNodesCostShare: [{ fewerNodesCostShare: 0.02 }, 0.02],
}

/** Options that only affect which plan is the cheapest. Simulations ignore them, because disruption itself compares prices. */
const COST_OPTIONS: readonly string[] = ['planBudget', 'nodeOverheadCost', 'fewerNodesCostShare']

const listed = Object.entries(cases) as readonly (readonly [SettingOption, (typeof cases)[SettingOption]])[]

test.each(listed)('a decision of the provisioner gets %s from its setting', async (option, [settings, value]) => {
  const asked: ScheduleOptions[] = []
  const schedule: Scheduler = (snapshot, pods, options) => {
    asked.push(options)
    return scheduleInSteps(snapshot, pods, options)
  }
  const harness = await start({ cluster: 'api', schedule, settings })
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await createPendingPods(harness, PODS, { requests: { cpu: '500m' } })
  await harness.pass(5_000)
  expect(asked[0]?.[option]).toEqual(value)
})

test.each(listed.filter(([option]) => !COST_OPTIONS.includes(option)))(
  'a disruption simulation gets %s from its setting',
  (option, [settings, value]) => {
    const { deps } = manualState({ settings })
    expect(simulationOptions(deps, true)[option]).toEqual(value)
  },
)
