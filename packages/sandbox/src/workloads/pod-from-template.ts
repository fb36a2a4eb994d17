import type { KubeObject, NewObject, Pod, PodTemplateSpec, ResourceKind } from '@kerf/apis'
import { controllerReference } from '../objects/ownership.ts'

/** Returns a pod created from a controller's template. Its name is `name`, or is generated with the owner's name as prefix. */
export const podFromTemplate = (
  template: PodTemplateSpec,
  owner: { readonly kind: ResourceKind; readonly object: KubeObject },
  more: {
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  } = {},
): NewObject<Pod> => {
  const metadata = template.metadata ?? {}
  const finalizers = [...(metadata.finalizers ?? []), ...(more.finalizers ?? [])]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(more.name === undefined ? { generateName: `${owner.object.metadata.name}-` } : { name: more.name }),
      namespace: owner.object.metadata.namespace ?? '',
      labels: { ...metadata.labels, ...more.labels },
      annotations: { ...metadata.annotations, ...more.annotations },
      ownerReferences: [controllerReference(owner.kind, owner.object)],
      ...(finalizers.length > 0 ? { finalizers } : {}),
    },
    spec: template.spec,
  }
}
