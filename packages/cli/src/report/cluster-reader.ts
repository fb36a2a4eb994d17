import type { KubeObject, ResourceKind } from '@kerf/apis'
import { ApiError, isForbidden, isNotFound, shownServer } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'
import { type ListClient, listAll } from '../cluster/list-all.ts'
import { readerRole } from '../cluster/reader-role.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { clusterKinds } from '../plan/read-live-cluster.ts'
import { nodeMetricsKind } from './node-usage.ts'

/** Every resource kind that a report reads. */
export const reportKinds: readonly ResourceKind[] = [...clusterKinds, nodeMetricsKind]

/** Returns a ClusterRole with every permission that a report can use. */
export const reportRole = (): string => readerRole('report', reportKinds)

/** The objects that could be read, and the resource kinds that could not be read. */
export interface PermittedRead {
  readonly manifests: readonly Manifest[]
  /** Plurals of the resource kinds that the user is not allowed to read. */
  readonly forbidden: readonly string[]
  readonly inOneNamespace: readonly string[]
  /** The namespace in which the kinds of `inOneNamespace` were read. */
  readonly namespace: string
}

const READERS = 4

type Answer =
  | { readonly how: 'all' | 'one namespace'; readonly items: readonly KubeObject[] }
  | { readonly how: 'forbidden'; readonly error: ApiError }
  | { readonly how: 'not served' }

const readKind = async (
  client: ListClient,
  kind: ResourceKind,
  namespace: string,
  isOnly: boolean,
): Promise<Answer> => {
  try {
    if (isOnly && kind.namespaced) return { how: 'one namespace', items: await listAll(client, kind, { namespace }) }
    return { how: 'all', items: await listAll(client, kind) }
  } catch (error) {
    // The metrics API has its own server, which may be down.
    const isDown = error instanceof ApiError && error.code === 503 && kind === nodeMetricsKind
    if (isNotFound(error) || isDown) return { how: 'not served' }
    if (!isForbidden(error)) throw error
    return kind.namespaced && !isOnly ? await readKind(client, kind, namespace, true) : { how: 'forbidden', error }
  }
}

/**
 * Lists every resource kind that a report uses, as far as the server allows it. `forbidden` contains the kinds that it refuses. Changes
 * nothing.
 * @throws ApiError for any other failure, such as a 401 after the first lists, and if the account is not allowed to list any kind
 */
export const readPermitted = async (
  client: ListClient,
  origin: string,
  { namespace, isOnly = false }: { readonly namespace: string; readonly isOnly?: boolean },
): Promise<PermittedRead> => {
  const answers: Answer[] = []
  for (let start = 0; start < reportKinds.length; start += READERS)
    answers.push(
      ...(await Promise.all(
        reportKinds.slice(start, start + READERS).map((kind) => readKind(client, kind, namespace, isOnly)),
      )),
    )
  const [refusal] = answers.flatMap((answer) => (answer.how === 'forbidden' ? [answer.error] : []))
  if (refusal !== undefined && !answers.some((answer) => 'items' in answer)) throw refusal
  const pluralsOf = (how: Answer['how']): readonly string[] =>
    reportKinds
      .filter((_, index) => answers[index]?.how === how)
      .map((kind) => (kind === nodeMetricsKind ? `${kind.plural}.${kind.group}` : kind.plural))
  return {
    manifests: answers.flatMap((answer) =>
      'items' in answer ? answer.items.map((object) => ({ object, file: origin, line: 0 })) : [],
    ),
    forbidden: pluralsOf('forbidden'),
    inOneNamespace: pluralsOf('one namespace'),
    namespace,
  }
}

/** Runs `readPermitted` on the cluster of the current kubectl context. */
export const readPermittedLive = async (
  choice: ClusterChoice,
  namespace: string | undefined,
): Promise<PermittedRead> => {
  const { connection, client } = connect(choice)
  try {
    return await readPermitted(client, shownServer(connection.server), {
      namespace: namespace ?? connection.namespace ?? 'default',
      isOnly: namespace !== undefined,
    })
  } finally {
    await client.close()
  }
}
