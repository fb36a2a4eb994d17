import { stringify } from 'yaml'
import type { ResourceKind } from './kubernetes/kinds.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { StructuralSchema } from './schema/structural-schema.ts'

/** A CustomResourceDefinition that can be applied. */
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
  /** The versions. The stored version comes first. */
  readonly versions: readonly [CrdVersion, ...CrdVersion[]]
}

interface CrdVersion {
  readonly name: string
  readonly served: true
  readonly storage: boolean
  readonly deprecated?: true
  readonly deprecationWarning?: string
  readonly additionalPrinterColumns: CustomResource['printerColumns']
  readonly schema: { readonly openAPIV3Schema: StructuralSchema }
  readonly subresources: { readonly status: object; readonly scale?: CustomResource['scale'] }
}

/** Returns a TypeBox schema as plain JSON, without TypeBox's internal properties. */
const schemaJson = (schema: object): StructuralSchema => JSON.parse(JSON.stringify(schema))

/** Returns the schema of the whole object, as it is in `openAPIV3Schema`. */
export const customResourceSchema = (resource: CustomResource, version = resource.kind.version): StructuralSchema => ({
  description: resource.description,
  type: 'object',
  properties: {
    apiVersion: {
      description: `Group and version: ${resource.kind.group}/${version}.`,
      type: 'string',
    },
    kind: { description: `The kind: ${resource.kind.kind}.`, type: 'string' },
    metadata: { type: 'object' },
    spec: schemaJson(resource.spec),
    status: schemaJson(resource.status),
  },
  ...(resource.specRequired ? { required: ['spec'] } : {}),
  ...(resource.rules === undefined ? {} : { 'x-kubernetes-validations': resource.rules }),
})

/** Adds rules to the schema of a kind, or returns it unchanged. */
export type SchemaRules = (kind: ResourceKind, schema: StructuralSchema) => StructuralSchema

const noRules: SchemaRules = (_kind, schema) => schema

const crdManifest = (resource: CustomResource, rules: SchemaRules = noRules): CrdManifest => {
  const { group, version, kind, plural, namespaced } = resource.kind
  const versionOf = (
    name: string,
    use: Pick<CrdVersion, 'storage' | 'deprecated' | 'deprecationWarning'>,
  ): CrdVersion => ({
    name,
    served: true,
    ...use,
    additionalPrinterColumns: resource.printerColumns,
    schema: { openAPIV3Schema: rules(resource.kind, customResourceSchema(resource, name)) },
    subresources: { status: {}, ...(resource.scale === undefined ? {} : { scale: resource.scale }) },
  })
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
        versionOf(version, { storage: true }),
        ...(resource.olderVersions ?? []).map(({ name, warning }) =>
          versionOf(name, { storage: false, deprecated: true, deprecationWarning: warning }),
        ),
      ],
    },
  }
}

/** A CustomResourceDefinition as a file that kubectl can apply. */
export interface CrdFile {
  readonly fileName: string
  readonly yaml: string
  readonly manifest: CrdManifest
}

const crdFile = (resource: CustomResource, rules: SchemaRules = noRules): CrdFile => {
  const manifest = crdManifest(resource, rules)
  let yaml: string | undefined
  return {
    fileName: `${resource.kind.group}_${resource.kind.plural}.yaml`,
    manifest,
    // The YAML is generated when it is read, because most callers need only the manifest, and generating YAML takes twenty times as
    // long.
    get yaml() {
      // Parsers of YAML 1.1 read unquoted dates, booleans and strings like 1:30 as other types, so such strings are quoted.
      yaml ??= stringify(manifest, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
      return yaml
    },
  }
}

/** The resource kinds to include, in the order of installation, and the rules to add. */
export interface CrdOptions {
  readonly resources: readonly CustomResource[]
  readonly rules?: SchemaRules
}

/** Returns CustomResourceDefinitions as files. */
export const crdManifests = ({ resources, rules }: CrdOptions): readonly CrdFile[] =>
  resources.map((resource) => crdFile(resource, rules))
