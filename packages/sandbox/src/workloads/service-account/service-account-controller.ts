import { kinds, type Namespace } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isAlreadyExists,
  type Key,
  type Outcome,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { ownSource } from '../../objects/sources.ts'

/** Creates the `default` service account in every namespace. */
export class ServiceAccountController implements Controller {
  readonly name = 'serviceaccount'
  readonly concurrency = 1
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #namespaces: Informer<Namespace>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#namespaces = context.informers.of(kinds.Namespace)
    this.sources = [
      ownSource(context, kinds.Namespace),
      source(context.informers.of(kinds.ServiceAccount), ({ before, after }) =>
        after === undefined && before?.metadata.namespace !== undefined ? [before.metadata.namespace] : [],
      ),
    ]
  }

  async reconcile(namespace: Key): Promise<Outcome> {
    const present = this.#namespaces.get(namespace)
    if (present === undefined || present.metadata.deletionTimestamp !== undefined) return done()
    const accounts = this.#context.informers.of(kinds.ServiceAccount)
    if (accounts.get(`${namespace}/default`) !== undefined) return done()
    try {
      await this.#context.client.create(kinds.ServiceAccount, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace },
      })
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
    return done()
  }
}
