import type { ProviderDescriptor } from '@kerf/provider-contract'
import { chartEnv } from './chart-env.ts'
import { doctorChecks } from './diagnostics/doctor/index.ts'
import { gcpEvents } from './gcp-events.ts'
import { gcpVocabulary } from './labels.ts'
import { migrationSources } from './migration/index.ts'
import { gceNodeClassDescriptor } from './node-class/node-class-descriptor.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { gcpPermissions } from './permissions.ts'
import { gcpSettings } from './settings/gcp-settings.ts'
import { verbs } from './verbs/index.ts'

/** The provider for GKE clusters of Google Cloud. */
export const gcp: ProviderDescriptor<typeof gcpSettings> = {
  name: 'gcp',
  title: 'Google Cloud',
  nodeClasses: [gceNodeClassDescriptor],
  settings: () => gcpSettings,
  labels: gcpVocabulary,
  permissions: gcpPermissions,
  events: gcpEvents,
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: true,
    prices: 'current',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: offlineInstanceTypes,
  documentation: { specification: 'providers/gcp/docs/spec/gcp.md', guide: 'providers/gcp/docs/guides/gcp.md' },
  verbs,
  doctorChecks,
  migrationSources,
  chart: {
    hasCrds: true,
    env: chartEnv,
    manifestValues: [
      'settings.provider=gcp',
      'settings.projectID=your-project',
      'settings.clusterName=your-cluster-name',
      'settings.clusterLocation=us-central1',
    ],
    roleSuffixes: {},
  },
  create: async (settings, context, surroundings) =>
    (await import('./create-gcp.ts')).createGcp(settings, context, surroundings),
}
