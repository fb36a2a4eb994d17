import { type CustomResource, crdManifests } from '@kerf/apis'
import type { Schema } from './crd-schema.ts'

/** Returns the OpenAPI schema of a kind that Kerf defines. */
export const resourceSchema = (resource: CustomResource): Schema => {
  const [file] = crdManifests({ resources: [resource] })
  const versions = file?.manifest.spec.versions ?? []
  const version = versions.find(({ name }) => name === resource.kind.version)
  return version === undefined ? {} : { ...version.schema.openAPIV3Schema }
}
