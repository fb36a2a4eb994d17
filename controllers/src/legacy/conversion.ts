import { type KubeObject, karpenterKinds, type NodePool, type ResourceKind } from '@kerf/apis'
import {
  type AWSNodeTemplate,
  type FieldReport,
  legacyKinds,
  type MigrationOptions,
  migrateManifests,
  type Provisioner,
} from '@kerf/apis/legacy'

/** Why an old object cannot be converted, or what it becomes. */
export type Conversion =
  | {
      readonly converts: false
      readonly reason: string
      readonly message: string
      readonly fields: readonly FieldReport[]
    }
  | {
      readonly converts: true
      /** What is kept in step with it, node classes before the pool. */
      readonly objects: readonly KubeObject[]
      /** The class that nodes come from, as Kind/name. */
      readonly nodeClass: string
      readonly fields: readonly FieldReport[]
    }

/** The object with nothing of its metadata but the name: labels and annotations of the old object are not the new one's. */
const bare = <T extends KubeObject>(
  kind: ResourceKind<T>,
  { status: _, ...object }: T & { readonly status?: unknown },
) => ({
  ...object,
  apiVersion: `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { name: object.metadata.name },
})

const isPool = (object: KubeObject): object is NodePool => object.kind === karpenterKinds.NodePool.kind

const nodeClassOf = (objects: readonly KubeObject[]): string => {
  const ref = objects.find(isPool)?.spec.template.spec.nodeClassRef
  if (ref !== undefined) return `${ref.kind}/${ref.name}`
  return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join()
}

const convert = (
  objects: readonly KubeObject[],
  options: MigrationOptions,
  isOwn: (object: { readonly kind: string; readonly name: string }) => boolean,
  reportedOf: string,
): Conversion => {
  const { objects: made, problems, fields } = migrateManifests(objects, options)
  const own = made.filter(({ kind, metadata }) => isOwn({ kind, name: metadata.name }))
  const references = new Set(own.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
  const reported = fields.filter(({ object }) => object === reportedOf)
  const concerned = problems.filter(({ object }) => references.has(object))
  if (concerned.length === 0) return { converts: true, objects: own, nodeClass: nodeClassOf(own), fields: reported }
  const message = concerned.map((each) => `${each.object}: ${each.message}`).join('; ')
  return { converts: false, reason: 'NotConvertible', message, fields: reported }
}

/** The template that a Provisioner names. */
export const templateOf = ({ spec }: Provisioner): string | undefined => spec?.providerRef?.name

/** A Provisioner as a NodePool, and the node class that is its own: of its `provider`, or of its kubelet settings. */
export const convertProvisioner = (
  provisioner: Provisioner,
  template: AWSNodeTemplate | undefined,
  options: MigrationOptions,
): Conversion => {
  const name = provisioner.metadata.name
  const wanted = templateOf(provisioner)
  if (wanted !== undefined && template === undefined) {
    const message = `AWSNodeTemplate/${wanted} does not exist: create it, or name another in spec.providerRef`
    return { converts: false, reason: 'NodeTemplateNotFound', message, fields: [] }
  }
  const objects = [
    ...(template === undefined ? [] : [bare(legacyKinds.AWSNodeTemplate, template)]),
    bare(legacyKinds.Provisioner, provisioner),
  ]
  // The template's own class is kept by the template.
  const isOwn = (made: { readonly kind: string; readonly name: string }): boolean =>
    made.kind === karpenterKinds.NodePool.kind || template === undefined || made.name !== wanted
  return convert(objects, options, isOwn, `Provisioner/${name}`)
}

/** An AWSNodeTemplate as a node class. */
export const convertTemplate = (template: AWSNodeTemplate, options: MigrationOptions): Conversion =>
  convert(
    [bare(legacyKinds.AWSNodeTemplate, template)],
    options,
    () => true,
    `AWSNodeTemplate/${template.metadata.name}`,
  )
