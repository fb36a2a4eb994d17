import { type CrdFile, crdFile } from '../crd-manifest.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import { awsNodeTemplateResource } from './aws-node-template.ts'
import { provisionerResource } from './provisioner.ts'

/** The addresses of Karpenter's old kinds in the API, like `karpenterKinds`. */
export const legacyKinds = {
  Provisioner: provisionerResource.kind,
  AWSNodeTemplate: awsNodeTemplateResource.kind,
} as const

/** The old kinds that `--legacy-apis` serves. */
export const legacyResources: readonly CustomResource[] = [provisionerResource, awsNodeTemplateResource]

/** Returns the CustomResourceDefinitions of the old kinds as files. */
export const legacyCrdManifests = (): readonly CrdFile[] => legacyResources.map((resource) => crdFile(resource))
