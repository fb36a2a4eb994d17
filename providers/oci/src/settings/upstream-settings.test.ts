import { readFileSync } from 'node:fs'
import { coreSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ociSettings } from './oci-settings.ts'

/** The settings in `pkg/operator/options/options.go` of both public providers, at the commits on the page of the specification. */
const upstream = {
  'zoom/karpenter-oci': [
    ...['CLUSTER_NAME', 'CLUSTER_ENDPOINT', 'CLUSTER_DNS', 'CLUSTER_CA_BUNDLE', 'CLUSTER_BOOTSTRAP_TOKEN'],
    ...['VM_MEMORY_OVERHEAD_PERCENT', 'FLEX_CPU_MEM_RATIOS', 'FLEX_CPU_CONSTRAIN_LIST', 'COMPARTMENT_ID'],
    ...['TAG_NAMESPACE', 'OCI_AUTH_METHODS', 'PRICE_ENDPOINT', 'PRICE_SYNC_PERIOD', 'USE_LOCAL_PRICE_LIST'],
    ...['PREEMPTIBLE_SHAPES', 'PREEMPTIBLE_EXCLUDE_SHAPES'],
  ],
  'oracle/karpenter-provider-oci': [
    ...['CLUSTER_COMPARTMENT_ID', 'VCN_COMPARTMENT_ID', 'APISERVER_ENDPOINT', 'OCI_VCN_IP_NATIVE', 'IP_FAMILIES'],
    ...['OCI_AUTH_METHOD', 'OCI_PROFILE_NAME', 'FLEXIBLE_SHAPE_CONFIGS', 'SHAPE_META_REFRESH_INTERVAL_HOURS'],
    ...['INSTANCE_LAUNCH_TIMEOUT_VM_MINS', 'INSTANCE_LAUNCH_TIMEOUT_BM_MINS'],
    ...['INSTANCE_OPERATION_POLL_INTERVAL_SECONDS', 'INSTANCE_LAUNCH_TIMEOUT_FAILOVER', 'REPAIR_POLICIES'],
    ...['PRE_BAKED_IMAGE_COMPARTMENT_ID', 'SHAPE_META_FILE'],
  ],
} as const

const read: ReadonlySet<string> = new Set(
  Object.values({ ...coreSettings, ...ociSettings }).flatMap((setting) => setting.env ?? []),
)

/** The settings with a row in the table of unread settings. */
const listed: ReadonlySet<string> = new Set(
  readFileSync(new URL('../../docs/spec/oci.md', import.meta.url), 'utf8')
    .split('\n### Settings that Kerf does not read\n')[1]
    ?.split('\n#')[0]
    ?.matchAll(/^\| ([A-Z_]+) \| \S/gm)
    .map(([, name = '']) => name),
)

test.each(Object.entries(upstream))('each setting of %s is either read, or listed with the reason', (_, names) => {
  expect(names.filter((name) => read.has(name) === listed.has(name))).toEqual([])
})

test('only settings of the public providers are listed', () => {
  expect(
    [...listed].filter((name) => !upstream['oracle/karpenter-provider-oci'].some((each) => each === name)),
  ).toEqual([])
})
