import { type CrdFile, crdManifests } from '../crd-manifest.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import type { LegacyTemplates } from './legacy-templates.ts'
import { provisionerResource } from './provisioner.ts'

/** Group, version and plural of Karpenter's legacy core kinds, like `karpenterKinds` for the current kinds. */
export const legacyKinds = {
  Provisioner: provisionerResource.kind,
} as const

/** Returns the legacy kinds that are served with `--legacy-apis`. */
export const legacyResources = (templates: LegacyTemplates): readonly CustomResource[] => [
  provisionerResource,
  templates.resource,
]

/** Returns the CustomResourceDefinitions of the legacy kinds as files. */
export const legacyCrdManifests = (templates: LegacyTemplates): readonly CrdFile[] =>
  crdManifests({ resources: legacyResources(templates) })
