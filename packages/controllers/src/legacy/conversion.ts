import { type KubeObject, karpenterKinds, type NodePool, type ResourceKind } from '@kerf/apis'
import {
  type FieldReport,
  legacyKinds,
  type MigrationOptions,
  migrateManifests,
  type Provisioner,
} from '@kerf/apis/legacy'

/** The result of converting a legacy object: the new objects, or the reason why the conversion failed. */
export type Conversion =
  | {
      readonly converts: false
      readonly reason: string
      readonly message: string
      readonly fields: readonly FieldReport[]
    }
  | {
      readonly converts: true
      /** The objects that Kerf keeps in sync with the legacy object. Node classes come before the pool. */
      readonly objects: readonly KubeObject[]
      /** The node class that its nodes use, as Kind/name. */
      readonly nodeClass: string
      readonly fields: readonly FieldReport[]
    }

/** Returns the object with its name as the only metadata. The new object must not have the labels and annotations of the legacy object. */
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

const objectNodeClass = (objects: readonly KubeObject[]): string => {
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
  if (concerned.length === 0) return { converts: true, objects: own, nodeClass: objectNodeClass(own), fields: reported }
  const message = concerned.map((each) => `${each.object}: ${each.message}`).join('; ')
  return { converts: false, reason: 'NotConvertible', message, fields: reported }
}

/** Returns the name of the template that a Provisioner refers to. */
export const legacyTemplateName = ({ spec }: Provisioner): string | undefined => spec?.providerRef?.name

/** Converts a Provisioner to a NodePool. If the Provisioner has `provider` or kubelet settings, also converts it to a node class. */
export const convertProvisioner = (
  provisioner: Provisioner,
  template: KubeObject | undefined,
  options: MigrationOptions,
): Conversion => {
  const name = provisioner.metadata.name
  const { kind } = options.templates.resource
  const wanted = legacyTemplateName(provisioner)
  if (wanted !== undefined && template === undefined) {
    const message = `${kind.kind}/${wanted} does not exist: create it, or name another in spec.providerRef`
    return { converts: false, reason: 'NodeTemplateNotFound', message, fields: [] }
  }
  const objects = [
    ...(template === undefined ? [] : [bare(kind, template)]),
    bare(legacyKinds.Provisioner, provisioner),
  ]
  // A node class that is converted from a template is created for the template, not for the Provisioner.
  const isOwn = (made: { readonly kind: string; readonly name: string }): boolean =>
    made.kind === karpenterKinds.NodePool.kind || template === undefined || made.name !== wanted
  return convert(objects, options, isOwn, `Provisioner/${name}`)
}

/** Converts a template to a node class. */
export const convertTemplate = (template: KubeObject, options: MigrationOptions): Conversion => {
  const { kind } = options.templates.resource
  return convert([bare(kind, template)], options, () => true, `${kind.kind}/${template.metadata.name}`)
}
