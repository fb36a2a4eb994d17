import { apiVersionOf } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** A client for code that must not call the API, except by the calls that the test answers. */
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

/** Answers `list` as an API server that has no object of the kind. */
export const emptyList: KubeClient['list'] = async (kind) => ({
  apiVersion: apiVersionOf(kind),
  kind: `${kind.kind}List`,
  metadata: { resourceVersion: '1' },
  items: [],
})
