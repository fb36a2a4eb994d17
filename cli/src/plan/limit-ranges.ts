import type { Container, KubeObject, Pod, ResourceList } from '@kerf/apis'

interface LimitRangeItem {
  readonly type: string
  readonly default?: ResourceList
  readonly defaultRequest?: ResourceList
  readonly min?: ResourceList
  readonly max?: ResourceList
}

interface LimitRange extends KubeObject {
  readonly spec: { readonly limits: readonly LimitRangeItem[] }
}

const isLimitRange = (object: KubeObject): object is LimitRange =>
  object.kind === 'LimitRange' &&
  object.apiVersion === 'v1' &&
  Array.isArray((object as Partial<LimitRange>).spec?.limits)

/**
 * What a container requests that says nothing: the default request, else the default limit, which is the maximum where it is not
 * given, else the minimum (https://kubernetes.io/docs/concepts/policy/limit-range/).
 */
const defaultRequests = ({ defaultRequest, default: limit, min, max }: LimitRangeItem): ResourceList => ({
  ...min,
  ...max,
  ...limit,
  ...defaultRequest,
})

/** The requests that the LimitRanges of each namespace give to containers that have none of a resource. */
export class LimitRanges {
  readonly #defaults = new Map<string, ResourceList>()

  constructor(objects: readonly KubeObject[]) {
    for (const range of objects.filter(isLimitRange)) {
      const namespace = range.metadata.namespace ?? 'default'
      for (const item of range.spec.limits) {
        if (item.type !== 'Container') continue
        this.#defaults.set(namespace, { ...defaultRequests(item), ...this.#defaults.get(namespace) })
      }
    }
  }

  /** The pod as admission would complete it. One that an API server has stored was completed when it was created. */
  admit(pod: Pod): Pod {
    const defaults = this.#defaults.get(pod.metadata.namespace ?? 'default')
    if (defaults === undefined || pod.metadata.uid !== undefined) return pod
    const complete = (container: Container): Container => {
      const { limits, requests } = container.resources ?? {}
      return { ...container, resources: { ...container.resources, requests: { ...defaults, ...limits, ...requests } } }
    }
    const { containers, initContainers } = pod.spec
    return {
      ...pod,
      spec: {
        ...pod.spec,
        containers: containers.map(complete),
        ...(initContainers === undefined ? {} : { initContainers: initContainers.map(complete) }),
      },
    }
  }
}
