import { groupVersion, type KubeObject, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { ApiError, type Clock, isConflict, type KubeClient, sleep } from '@kerf/runtime'
import { compareApplyOrder } from './apply-order.ts'
import { definedKinds, isDefinition, waitUntilServed } from './definitions.ts'
import type { KindDirectory } from './kind-directory.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { isPlanned } from './planned-kinds.ts'

const FIELD_MANAGER = 'kerf-up'

/** How long to wait for the service account of a new Namespace, in milliseconds. Pods need the account. */
const ACCOUNT_WITHIN: Milliseconds = 15_000
const ASK_EVERY: Milliseconds = 100

const objectName = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? metadata.generateName ?? ''}`

const kindKey = (kind: ResourceKind): string => `${groupVersion(kind)} ${kind.kind}`

interface Prepared {
  readonly manifest: Manifest
  readonly kind: ResourceKind
  readonly object: KubeObject
}

const placed = async (manifest: Manifest, kinds: KindDirectory): Promise<Prepared> => {
  const { object, file, line } = manifest
  const kind = await kinds.find(object.apiVersion, object.kind)
  if (kind === undefined) {
    throw new ManifestError(
      `${file}:${line}: ${objectName(object)}: the cluster has no kind ${object.kind} in ${object.apiVersion}; check the spelling, or install the CRD first (Kerf's own: kerf crds | kubectl apply -f -)`,
    )
  }
  const namespaced = kind.namespaced && object.metadata.namespace === undefined
  return {
    manifest,
    kind,
    object: namespaced ? { ...object, metadata: { ...object.metadata, namespace: 'default' } } : object,
  }
}

const explain = ({ manifest, object }: Pick<Prepared, 'manifest' | 'object'>, error: unknown): ManifestError => {
  const place = `${manifest.file}:${manifest.line}: ${objectName(object)}`
  if (!(error instanceof ApiError))
    return new ManifestError(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  const causes =
    error.details.causes?.map(
      (cause) => `${cause.field === undefined ? '' : `${cause.field}: `}${cause.message ?? ''}`,
    ) ?? []
  const text = causes.length > 0 ? causes.join('; ') : error.message
  return new ManifestError(`${place}: rejected by the API server: ${text}`, { cause: error })
}

const write = async (
  client: KubeClient,
  { kind, object }: Prepared,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const { name, namespace } = object.metadata
  if (name === undefined) {
    await client.create(kind, object, { dryRun, fieldManager: FIELD_MANAGER, signal })
    return
  }
  const ref = namespace === undefined ? { name } : { name, namespace }
  await client.patch(
    kind,
    ref,
    { type: 'apply', body: { ...object, apiVersion: groupVersion(kind) }, force: true },
    { dryRun, fieldManager: FIELD_MANAGER, signal },
  )
}

/** A cluster to which manifests can be applied. */
export interface ApplyTarget {
  readonly client: KubeClient
  readonly kinds: KindDirectory
  /** Clock for waiting after a CRD or a Namespace is stored. */
  readonly clock: Clock
}

/** Returns whether the Namespace has no service account yet. Until it has one, the API server refuses its pods. */
const isAccountMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 403 && /service ?account/i.test(error.message)

/** Applies manifests to one cluster. */
class Application {
  readonly #target: ApplyTarget
  readonly #signal: AbortSignal
  readonly #leftOut: ((line: string) => void) | undefined

  constructor(target: ApplyTarget, signal: AbortSignal, leftOut: ((line: string) => void) | undefined) {
    this.#target = target
    this.#signal = signal
    this.#leftOut = leftOut
  }

  async apply(manifests: readonly Manifest[]): Promise<number> {
    const definitions = manifests.filter(({ object }) => isDefinition(object))
    const defined = new Set(definitions.flatMap(({ object }) => definedKinds(object).map(kindKey)))
    const isDefined = ({ object }: Manifest): boolean => defined.has(`${object.apiVersion} ${object.kind}`)
    const first = await this.#placed(manifests.filter((manifest) => !isDefined(manifest)))
    const namespaces = new Set<string | undefined>(
      first.filter(({ kind }) => kind.kind === 'Namespace').map(({ object }) => object.metadata.name),
    )
    const accepted = await this.#rehearsed(first, namespaces)
    const written = await this.#written(
      accepted.filter(({ object }) => isDefinition(object)),
      namespaces,
    )
    await this.#each(
      written,
      ({ object }) => object,
      (each) => this.#untilServed(each),
    )
    const later = await this.#rehearsed(await this.#placed(manifests.filter(isDefined)), namespaces)
    const others = [...accepted.filter(({ object }) => !isDefinition(object)), ...later]
    others.sort(
      (a, b) => compareApplyOrder(a.object, b.object) || manifests.indexOf(a.manifest) - manifests.indexOf(b.manifest),
    )
    return written.length + (await this.#written(others, namespaces)).length
  }

  async #placed(manifests: readonly Manifest[]): Promise<readonly Prepared[]> {
    return this.#each(
      manifests,
      ({ object }) => object,
      (manifest) => placed(manifest, this.#target.kinds),
    )
  }

  /**
   * Returns the objects that the API server accepts in a dry run. Objects in a Namespace that does not exist yet skip the dry run,
   * because the API server would refuse them.
   */
  async #rehearsed(
    prepared: readonly Prepared[],
    namespaces: ReadonlySet<string | undefined>,
  ): Promise<readonly Prepared[]> {
    return this.#each(
      prepared,
      ({ object }) => object,
      async (each) => {
        if (!namespaces.has(each.object.metadata.namespace)) await this.#write(each, true)
        return each
      },
    )
  }

  async #written(
    prepared: readonly Prepared[],
    namespaces: ReadonlySet<string | undefined>,
  ): Promise<readonly Prepared[]> {
    const { clock } = this.#target
    return this.#each(
      prepared,
      ({ object }) => object,
      async (each) => {
        const end = clock.monotonic() + (namespaces.has(each.object.metadata.namespace) ? ACCOUNT_WITHIN : 0)
        for (;;) {
          try {
            await this.#write(each, false)
            return each
          } catch (error) {
            if (!(error instanceof ManifestError) || !isAccountMissing(error.cause) || clock.monotonic() >= end)
              throw error
          }
          await sleep(clock, ASK_EVERY, this.#signal)
        }
      },
    )
  }

  async #write(each: Prepared, dryRun: boolean): Promise<void> {
    const attempt = (): Promise<void> => write(this.#target.client, each, dryRun, this.#signal)
    await attempt()
      .catch((error: unknown) => {
        if (isConflict(error)) return attempt()
        throw error
      })
      .catch((error: unknown) => {
        throw explain(each, error)
      })
  }

  async #untilServed({ manifest, object }: Prepared): Promise<void> {
    const { client, kinds, clock } = this.#target
    await waitUntilServed(client, kinds, object, clock, this.#signal).catch((error: unknown) => {
      this.#signal.throwIfAborted()
      throw explain({ manifest, object }, error)
    })
  }

  /** Runs a step for each item. If the step fails for an object that no plan needs, reports the object and skips it. */
  async #each<T, R>(
    items: readonly T[],
    objectOf: (item: T) => KubeObject,
    step: (item: T) => Promise<R>,
  ): Promise<readonly R[]> {
    const done: R[] = []
    for (const item of items) {
      const object = objectOf(item)
      try {
        done.push(await step(item))
      } catch (error) {
        if (!(error instanceof ManifestError) || this.#leftOut === undefined || isPlanned(object)) throw error
        this.#leftOut(`warning: left out: ${error.message}`)
      }
    }
    return done
  }
}

/**
 * Applies manifests with server-side apply, in the order of `docs/spec/manifests.md#applying`: CRDs first, then everything else once the
 * API server serves the new kinds. All objects go through a dry run before anything is written, so that an invalid object leaves the
 * cluster unchanged. There are two exceptions:
 *
 * - Custom resources whose CRD is in the same manifests get their dry run after the CRD is written.
 * - Objects in a Namespace of the same manifests get no dry run.
 *
 * `leftOut` receives a line for each object that the server refuses and that no plan needs. Without `leftOut`, such an object is an error.
 * Returns the number of applied objects.
 *
 * @throws ManifestError with file, line and object
 */
export const applyManifests = (
  target: ApplyTarget,
  manifests: readonly Manifest[],
  signal: AbortSignal,
  leftOut?: (line: string) => void,
): Promise<number> => new Application(target, signal, leftOut).apply(manifests)
