import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSettings } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { compartments, ociAccess, typeSettings } from './oci-options.ts'
import { type OciSettings, ociSettings } from './oci-settings.ts'
import { defaultRepairPolicies } from './repair-policies.ts'

const settingsOf = (env: Readonly<Record<string, string>>): OciSettings => parseSettings(ociSettings, env).settings

const keyFile = async (text: string): Promise<OciSettings> => {
  const folder = await mkdtemp(join(tmpdir(), 'oci-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'config.yaml')
  await writeFile(file, text)
  return settingsOf({ OCI_AUTH_METHODS: 'API_KEY', CONFIG_YAML_FILENAME: file })
}

test('the compartments of both public providers', () => {
  expect(() => compartments(settingsOf({}))).toThrow(/CLUSTER_COMPARTMENT_ID/)
  expect(compartments(settingsOf({ COMPARTMENT_ID: 'a' }))).toEqual({ nodes: 'a', network: 'a', okeImages: 'a' })
  const all = { COMPARTMENT_ID: 'a', CLUSTER_COMPARTMENT_ID: 'b', VCN_COMPARTMENT_ID: 'c' }
  expect(compartments(settingsOf({ ...all, PRE_BAKED_IMAGE_COMPARTMENT_ID: 'd' }))).toEqual({
    ...{ nodes: 'b', network: 'c', okeImages: 'd' },
  })
})

test.each([
  [{}, { kind: 'workload-identity' }],
  [{ OCI_AUTH_METHODS: 'INSTANCE_PRINCIPAL' }, { kind: 'instance-principal' }],
  [{ OCI_AUTH_METHODS: 'SESSION' }, { kind: 'session', file: '', profile: 'SESSION' }],
  [{ OCI_AUTH_METHODS: 'SESSION', OCI_AUTH_METHOD: 'WORKLOAD' }, { kind: 'workload-identity' }],
  [
    { OCI_AUTH_METHOD: 'SESSION', OCI_PROFILE_NAME: 'dev' },
    { kind: 'session', file: '', profile: 'dev' },
  ],
  [{ OCI_AUTH_METHOD: 'INSTANCE_PRINCIPAL' }, { kind: 'instance-principal' }],
])('%j signs in with %j', async (env, auth) => {
  expect((await ociAccess(settingsOf(env))).auth).toEqual(auth)
})

test('an API key in a file in the format of zoom/karpenter-oci', async () => {
  const auth = ['  region: us-phoenix-1', '  tenancy: t', '  user: u', '  fingerprint: f', '  key: k'].join('\n')
  const { auth: method, region } = await ociAccess(await keyFile(`auth:\n${auth}\n  passphrase: p\n`))
  expect(method).toEqual({
    kind: 'api-key',
    key: { tenancy: 't', user: 'u', fingerprint: 'f', privateKey: 'k', passphrase: 'p' },
  })
  expect(region).toBe('us-phoenix-1')
  expect((await ociAccess(await keyFile('useInstancePrincipals: true\n'))).auth).toEqual({ kind: 'instance-principal' })
})

test('a file without a key and a missing file cause errors that state what is missing, without the key itself', async () => {
  await expect(ociAccess(await keyFile('auth:\n  key: secret\n  user: u\n'))).rejects.toThrow(
    /auth\.tenancy, auth\.fingerprint/,
  )
  await expect(ociAccess(await keyFile('auth:\n  key: secret\n'))).rejects.not.toThrow(/secret/)
  await expect(ociAccess(await keyFile('auth: {}\n'))).rejects.toThrow(/auth\.key/)
  const missing = settingsOf({ OCI_AUTH_METHODS: 'API_KEY', CONFIG_YAML_FILENAME: '/missing/config.yaml' })
  await expect(ociAccess(missing)).rejects.toThrow(/CONFIG_YAML_FILENAME/)
})

test('the sizes of flexible shapes', () => {
  const usual = typeSettings(settingsOf({})).sizes
  expect([usual.ocpus.length, usual.ocpus.at(-1), usual.memoryRatios, usual.sizes]).toEqual([128, 128, [4], []])
  const { sizes, defaultIpCount } = typeSettings(
    settingsOf({
      FLEX_CPU_CONSTRAIN_LIST: '1, 2,x,,4',
      FLEX_CPU_MEM_RATIOS: '2,8',
      FLEXIBLE_SHAPE_CONFIGS:
        '[{"ocpus": 2, "memoryInGbs": 16}, {"ocpus": 1.5, "baselineOcpuUtilization": "BASELINE_1_2"}]',
      IP_FAMILIES: 'IPv6',
    }),
  )
  expect(sizes).toEqual({
    ocpus: [1, 2, 4],
    memoryRatios: [2, 8],
    sizes: [
      { ocpus: 2, memoryInGBs: 16, baseline: undefined },
      { ocpus: 1.5, memoryInGBs: undefined, baseline: 'BASELINE_1_2' },
    ],
  })
  expect(defaultIpCount).toBe(256)
})

test.each([
  '{',
  '{}',
  '[{}]',
  '[{"ocpus": 0.5}]',
  '[{"ocpus": 1, "memoryInGbs": "8"}]',
  '[{"ocpus": 1, "baselineOcpuUtilization": "x"}]',
])('FLEXIBLE_SHAPE_CONFIGS=%s is refused', (value) => {
  expect(() => settingsOf({ FLEXIBLE_SHAPE_CONFIGS: value })).toThrow(/FLEXIBLE_SHAPE_CONFIGS/)
})

test('the repair policies of Oracle’s provider, with a number of nanoseconds or its text', () => {
  const policies = (text: string) => settingsOf({ REPAIR_POLICIES: text }).repairPolicies
  const entry = (duration: string) =>
    `{"ConditionType": "Ready", "ConditionStatus": "False", "TolerationDuration": ${duration}}`
  const ready = { conditionType: 'Ready', conditionStatus: 'False', toleration: 600_000 }
  expect(policies(`[${entry('600000000000')}, ${entry('"600000000000"')}]`)).toEqual([ready, ready])
  expect(policies('[]')).toEqual([])
  expect(policies('')).toEqual(defaultRepairPolicies)
  expect(settingsOf({}).repairPolicies).toEqual(defaultRepairPolicies)
})

test.each([
  ['{', 'it is not JSON'],
  ['{}', 'it is not a list'],
  ['[{}]', 'entry 0: ConditionType must be'],
  ['[{"ConditionType": "Ready", "ConditionStatus": "false"}]', 'entry 0: ConditionStatus must be one of'],
  ['[{"ConditionType": "Ready", "ConditionStatus": "False"}]', 'entry 0: TolerationDuration must be'],
  [
    '[{"ConditionType": "Ready", "ConditionStatus": "False", "TolerationDuration": "10m"}]',
    'entry 0: TolerationDuration',
  ],
])('REPAIR_POLICIES=%s is refused: %s', (value, problem) => {
  expect(() => settingsOf({ REPAIR_POLICIES: value })).toThrow(problem)
})
