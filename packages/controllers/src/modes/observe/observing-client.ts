import { kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { DECISIONS_CONFIG_MAP } from './decisions-config-map.ts'

/** Thrown when Kerf tries a write that observe mode does not allow, which is a bug in Kerf. The write is not sent. */
export class ObservingError extends Error {
  override readonly name = 'ObservingError'

  constructor(what: string) {
    super(`observe mode does not write ${what}`)
  }
}

/** Returns a client that refuses all writes except those to the ConfigMap with the decisions. Events and the Lease use other clients. */
export const observingClient = (client: KubeClient): KubeClient => {
  const refuse = (what: string): Promise<never> => Promise.reject(new ObservingError(what))
  const isDecisions = (kind: ResourceKind, name: string | undefined): boolean =>
    kind.plural === kinds.ConfigMap.plural && kind.group === '' && name === DECISIONS_CONFIG_MAP
  return {
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    raw: (...args) => client.raw(...args),
    create: (kind, object, options) =>
      isDecisions(kind, object.metadata.name) ? client.create(kind, object, options) : refuse(kind.plural),
    patch: (kind, ref, patch, options) =>
      isDecisions(kind, ref.name) ? client.patch(kind, ref, patch, options) : refuse(kind.plural),
    update: (kind) => refuse(kind.plural),
    delete: (kind) => refuse(kind.plural),
    evict: () => refuse('evictions'),
    bind: () => refuse('bindings'),
  }
}
