import { stringify } from 'yaml'
import { withAwsRules } from './resources/aws-rules.ts'
import { customResources } from './resources/index.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { StructuralSchema } from './schema/structural-schema.ts'

/** A CustomResourceDefinition, ready to be applied. */
export interface CrdManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string }
  readonly spec: CrdSpec
}

interface CrdSpec {
  readonly group: string
  readonly names: {
    readonly kind: string
    readonly listKind: string
    readonly plural: string
    readonly singular: string
    readonly shortNames?: readonly string[]
    readonly categories: readonly string[]
  }
  readonly scope: 'Cluster' | 'Namespaced'
  readonly versions: readonly [CrdVersion]
}

interface CrdVersion {
  readonly name: string
  readonly served: true
  readonly storage: true
  readonly additionalPrinterColumns: CustomResource['printerColumns']
  readonly schema: { readonly openAPIV3Schema: StructuralSchema }
  readonly subresources: { readonly status: object; readonly scale?: CustomResource['scale'] }
}

/** The JSON of a TypeBox schema: its own keywords, without what TypeBox keeps beside them. */
const jsonOf = (schema: object): StructuralSchema => JSON.parse(JSON.stringify(schema))

/** The schema of the whole object, as `openAPIV3Schema` holds it. */
export const schemaOf = (resource: CustomResource): StructuralSchema => ({
  description: resource.description,
  type: 'object',
  properties: {
    apiVersion: {
      description: `Group and version: ${resource.kind.group}/${resource.kind.version}.`,
      type: 'string',
    },
    kind: { description: `The kind: ${resource.kind.kind}.`, type: 'string' },
    metadata: { type: 'object' },
    spec: jsonOf(resource.spec),
    status: jsonOf(resource.status),
  },
  ...(resource.specRequired ? { required: ['spec'] } : {}),
})

/** Whose CustomResourceDefinitions: AWS checks its labels in the core kinds too. */
export type CrdVariant = 'core' | 'aws'

export const crdManifest = (resource: CustomResource, variant: CrdVariant = 'core'): CrdManifest => {
  const { group, version, kind, plural, namespaced } = resource.kind
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: resource.singular,
        ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
        categories: resource.categories,
      },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: resource.printerColumns,
          schema: {
            openAPIV3Schema: variant === 'aws' ? withAwsRules(resource.kind, schemaOf(resource)) : schemaOf(resource),
          },
          subresources: { status: {}, ...(resource.scale === undefined ? {} : { scale: resource.scale }) },
        },
      ],
    },
  }
}

/** A CustomResourceDefinition as a file that kubectl takes. */
export interface CrdFile {
  readonly fileName: string
  readonly yaml: string
  readonly manifest: CrdManifest
}

export const crdFile = (resource: CustomResource, variant: CrdVariant = 'core'): CrdFile => {
  const manifest = crdManifest(resource, variant)
  // Readers of YAML 1.1 take dates, switches and 1:30 for something else than text: such texts are quoted.
  const yaml = stringify(manifest, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  return { fileName: `${resource.kind.group}_${resource.kind.plural}.yaml`, yaml, manifest }
}

/** The groups whose kinds a variant leaves out: what another provider serves. */
const LEFT_OUT: Readonly<Record<CrdVariant, readonly string[]>> = { core: [], aws: ['karpenter.kwok.sh'] }

/**
 * All CustomResourceDefinitions as files, in the order in which they are installed. For AWS: those of its Helm chart,
 * in which NodePools, NodeClaims and NodeOverlays refuse labels of the AWS domain that do not exist.
 */
export const crdManifests = (variant: CrdVariant = 'core'): readonly CrdFile[] =>
  customResources
    .filter(({ kind }) => !LEFT_OUT[variant].includes(kind.group))
    .map((resource) => crdFile(resource, variant))
