import { groupVersion } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** Returns a client that fails every call for which the test defines no response. */
export const refusingClient = (answers: Partial<KubeClient> = {}): KubeClient => {
  const refuse = (call: string) => (): never => {
    throw new Error(`unexpected call of ${call}`)
  }
  return {
    get: refuse('get'),
    list: refuse('list'),
    watch: refuse('watch'),
    create: refuse('create'),
    update: refuse('update'),
    patch: refuse('patch'),
    delete: refuse('delete'),
    evict: refuse('evict'),
    bind: refuse('bind'),
    raw: refuse('raw'),
    ...answers,
  }
}

/** Responds to `list` like an API server that has no objects of the kind. */
export const emptyList: KubeClient['list'] = async (kind) => ({
  apiVersion: groupVersion(kind),
  kind: `${kind.kind}List`,
  metadata: { resourceVersion: '1' },
  items: [],
})
