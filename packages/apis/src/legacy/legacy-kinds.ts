import { type CrdFile, crdManifests } from '../crd-manifest.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import type { LegacyTemplates } from './legacy-templates.ts'
import { provisionerResource } from './provisioner.ts'

/** The addresses of Karpenter's old core kinds in the API, like `karpenterKinds`. */
export const legacyKinds = {
  Provisioner: provisionerResource.kind,
} as const

/** Returns the old kinds that `--legacy-apis` serves. */
export const legacyResources = (templates: LegacyTemplates): readonly CustomResource[] => [
  provisionerResource,
  templates.resource,
]

/** Returns the CustomResourceDefinitions of the old kinds as files. */
export const legacyCrdManifests = (templates: LegacyTemplates): readonly CrdFile[] =>
  crdManifests({ resources: legacyResources(templates) })
