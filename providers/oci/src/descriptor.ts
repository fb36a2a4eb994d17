import type { ProviderDescriptor } from '@kerf/provider-contract'
import { ociCapabilities } from './capabilities.ts'
import { chartEnv } from './chart-env.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { ociVocabulary } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { communityNodeClassDescriptor } from './node-class/community-descriptor.ts'
import { oracleNodeClassDescriptor } from './node-class/oracle-descriptor.ts'
import { ociEvents } from './oci-events.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { ociPermissions } from './permissions.ts'
import { ociSettings } from './settings/oci-settings.ts'
import { verbs } from './verbs/index.ts'

/**
 * The provider for Oracle Cloud. It supports the node class kinds of both public Karpenter providers. It has not been tested on a real
 * account.
 */
export const oci: ProviderDescriptor<typeof ociSettings> = {
  name: 'oci',
  title: 'Oracle Cloud',
  nodeClasses: [oracleNodeClassDescriptor, communityNodeClassDescriptor],
  settings: () => ociSettings,
  labels: ociVocabulary,
  permissions: ociPermissions,
  events: ociEvents,
  metrics: async () => [],
  capabilities: ociCapabilities,
  instanceTypes: offlineInstanceTypes,
  documentation: {
    specification: 'providers/oci/docs/spec/oci.md',
    guide: 'providers/oci/docs/guides/oci.md',
  },
  verbs,
  doctorChecks,
  migrationSources,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: [
      'settings.provider=oci',
      'settings.clusterName=your-cluster-name',
      'settings.compartmentID=your-compartment-ocid',
      'settings.clusterEndpoint=https://your-cluster-endpoint:6443',
    ],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-oci.ts')).createOci(settings, context, surroundings),
}
