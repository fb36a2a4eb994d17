import { describe, expect, test } from 'vitest'
import { parseSettings, readFlags } from './parse-settings.ts'
import { coreSettings } from './settings.ts'
import { settingsReference } from './settings-reference.ts'

const parse = (env: Record<string, string>, args: readonly string[] = []) =>
  parseSettings(coreSettings, env, readFlags(coreSettings, args).flags)
const errorOf = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('core settings', () => {
  test('have upstream’s names and defaults', () => {
    const upstream = Object.values(coreSettings).filter((setting) => setting.origin === 'upstream')
    const shown = upstream.map((setting) =>
      `${setting.env ?? '-'} --${setting.flag ?? ''} ${setting.defaultText}`.trim(),
    )
    expect(shown).toMatchInlineSnapshot(`
      [
        "KARPENTER_SERVICE --karpenter-service",
        "METRICS_PORT --metrics-port 8080",
        "HEALTH_PROBE_PORT --health-probe-port 8081",
        "KUBE_CLIENT_QPS --kube-client-qps 200",
        "KUBE_CLIENT_BURST --kube-client-burst 300",
        "ENABLE_PROFILING --enable-profiling false",
        "DISABLE_CONTROLLER_WARMUP --disable-controller-warmup true",
        "DISABLE_LEADER_ELECTION --disable-leader-election false",
        "DISABLE_CLUSTER_STATE_OBSERVABILITY --disable-cluster-state-observability false",
        "LEADER_ELECTION_NAME --leader-election-name karpenter-leader-election",
        "LEADER_ELECTION_NAMESPACE --leader-election-namespace",
        "MEMORY_LIMIT --memory-limit -1",
        "CPU_REQUESTS --cpu-requests 1000",
        "LOG_LEVEL --log-level info",
        "LOG_OUTPUT_PATHS --log-output-paths stdout",
        "LOG_ERROR_OUTPUT_PATHS --log-error-output-paths stderr",
        "BATCH_MAX_DURATION --batch-max-duration 10s",
        "BATCH_IDLE_DURATION --batch-idle-duration 1s",
        "PREFERENCE_POLICY --preference-policy Respect",
        "MIN_VALUES_POLICY --min-values-policy Strict",
        "IGNORE_DRA_REQUESTS --ignore-dra-requests true",
        "FEATURE_GATES --feature-gates NodeRepair=false,ReservedCapacity=true,SpotToSpotConsolidation=false,NodeOverlay=false,StaticCapacity=false,CapacityBuffer=false",
        "SCHEDULER_CONFIG --scheduler-config",
        "SYSTEM_NAMESPACE --",
        "- --kubeconfig",
      ]
    `)
  })

  test('a flag overrides the environment, which overrides the default', () => {
    expect(parse({}).settings.metricsPort).toBe(8080)
    expect(parse({ METRICS_PORT: '9000' }).settings.metricsPort).toBe(9000)
    expect(parse({ METRICS_PORT: '9000' }, ['--metrics-port=9001']).settings.metricsPort).toBe(9001)
    expect(parse({}, ['-metrics-port', '9002']).settings.metricsPort).toBe(9002)
  })

  test.each([
    ['KUBE_CLIENT_QPS', 'many', 'kubeClientQps', 200],
    ['BATCH_IDLE_DURATION', '1 second', 'batchIdleDuration', 1_000],
    ['DISABLE_LEADER_ELECTION', 'yes', 'disableLeaderElection', false],
    ['METRICS_PORT', '', 'metricsPort', 8080],
    ['FEWER_NODES_COST_SHARE', '0.02', 'fewerNodesCostShare', 0.005],
  ] as const)('the invalid value %s=%s is ignored with a warning', (name, value, key, expected) => {
    const { settings, warnings } = parse({ [name]: value })
    expect(settings[key]).toBe(expected)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(name)
  })

  test.each([
    [['--metrics-port=many'], '--metrics-port: "many" is not an integer'],
    [['--metrics-port=70000'], '--metrics-port: 70000 is not between 0 and 65535'],
    [['--batch-idle-duration=soon'], '--batch-idle-duration: "soon" is not a duration, for example 10s or 1m30s'],
    [['--disable-leader-election=1'], '--disable-leader-election: "1" is not true or false'],
    [['--log-level=loud'], '--log-level: "loud" is not one of "", debug, info, error'],
    [
      ['--fewer-nodes-cost-share=0.5'],
      '--fewer-nodes-cost-share: "0.5" is not a percentage from 0% to 100%, for example 0.5%',
    ],
    [
      ['--fewer-nodes-cost-share=101%'],
      '--fewer-nodes-cost-share: "101%" is not a percentage from 0% to 100%, for example 0.5%',
    ],
    [['--preference-policy=ignore'], '--preference-policy: "ignore" is not one of Respect, Ignore'],
    [['--feature-gates=NodeRepair'], '--feature-gates: "NodeRepair" must have the form Name=true or Name=false'],
    [['--metrics-port'], '--metrics-port needs a value'],
  ])('%j is refused', (args, message) => {
    const error = errorOf(() => parse({}, args))
    expect(error).toMatchObject({ code: 'InvalidSetting', exitCode: 2, text: message })
  })

  test('all problems are reported together', () => {
    const error = errorOf(() => parse({ LOG_LEVEL: 'loud', MIN_VALUES_POLICY: 'lax' }, ['--kube-client-qps=0']))
    expect(error).toMatchObject({ parameters: { problems: { length: 3 } } })
  })

  test('an unknown flag is refused, and the most similar flag is suggested', () => {
    const error = errorOf(() => parse({}, ['--metric-port=1']))
    expect(error).toMatchObject({
      code: 'UnknownFlag',
      message: 'unknown flag --metric-port; did you mean --metrics-port?',
    })
  })

  test('a switch does not take a value after a space', () => {
    const { flags, rest } = readFlags(coreSettings, ['--enable-profiling', 'true', '--metrics-port', '1'])
    expect(flags).toEqual({ 'enable-profiling': true })
    expect(rest).toEqual(['true', '--metrics-port', '1'])
  })

  test.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('the environment accepts Go’s %s as true', (value) => {
    expect(parse({ ENABLE_PROFILING: value }).settings.enableProfiling).toBe(true)
  })

  test('gates that are not listed keep their default, and unknown gates are ignored', () => {
    const { featureGates } = parse({ FEATURE_GATES: 'NodeRepair=true,ReservedCapacity=false,Teleport=true' }).settings
    expect(featureGates).toEqual({
      NodeRepair: true,
      ReservedCapacity: false,
      SpotToSpotConsolidation: false,
      NodeOverlay: false,
      StaticCapacity: false,
      CapacityBuffer: false,
    })
  })

  test('a percentage is read as a fraction', () => {
    expect(parse({ FEWER_NODES_COST_SHARE: '2.5%' }).settings.fewerNodesCostShare).toBe(0.025)
    expect(parse({ FEWER_NODES_COST_SHARE: '0%' }).settings.fewerNodesCostShare).toBe(0)
  })

  test('zero for CPU_REQUESTS counts as one core', () => {
    expect(parse({ CPU_REQUESTS: '-5' }).settings.cpuRequests).toBe(1000)
    expect(parse({ CPU_REQUESTS: '2500' }).settings.cpuRequests).toBe(2500)
  })
})

describe('the scheduler config', () => {
  const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' }
  const config = (constraints: unknown): string =>
    JSON.stringify({ podTopologySpread: { defaultConstraints: constraints } })

  test('is parsed as YAML or JSON', () => {
    const { settings } = parse({ SCHEDULER_CONFIG: config([constraint]) })
    expect(settings.defaultSpreadConstraints).toEqual([constraint])
    const both = [constraint, { ...constraint, whenUnsatisfiable: 'DoNotSchedule' }]
    expect(parse({ SCHEDULER_CONFIG: config(both) }).settings.defaultSpreadConstraints).toEqual(both)
    expect(parse({ SCHEDULER_CONFIG: 'podTopologySpread: {}' }).settings.defaultSpreadConstraints).toEqual([])
    expect(parse({ SCHEDULER_CONFIG: '' }).settings.defaultSpreadConstraints).toEqual([])
  })

  test.each([
    ['nonsense: [', 'is neither YAML nor JSON'],
    ['profiles: []', 'profiles is not known'],
    [config([{ ...constraint, maxSkew: 0 }]), 'defaultConstraints[0].maxSkew must be above 0'],
    [config([{ ...constraint, topologyKey: '-' }]), 'defaultConstraints[0].topologyKey must be a label key'],
    [config([{ ...constraint, topologyKey: undefined }]), 'topologyKey must be a label key'],
    [config([{ ...constraint, whenUnsatisfiable: 'Maybe' }]), 'must be DoNotSchedule or ScheduleAnyway'],
    [config([{ ...constraint, labelSelector: {} }]), 'labelSelector must be absent'],
    [config([{ ...constraint, matchLabelKeys: ['a'] }]), 'matchLabelKeys must be absent'],
    [config([constraint, constraint]), 'must not repeat a pair'],
    [config([{ ...constraint, colour: 'red' }]), 'defaultConstraints[0].colour is not known'],
  ])('%s is refused', (text, words) => {
    const error = errorOf(() => parse({ SCHEDULER_CONFIG: text }))
    expect(error).toMatchObject({ code: 'InvalidSetting', exitCode: 2 })
    expect(String(error)).toContain(words)
  })
})

test('the reference page names every setting', () => {
  const page = settingsReference(coreSettings)
  for (const setting of Object.values(coreSettings)) {
    expect(page).toContain(setting.flag === undefined ? `\`${setting.env}\`` : `\`--${setting.flag}\``)
  }
})
