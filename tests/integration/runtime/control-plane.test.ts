import { type KubeObject, kinds } from '@kerf/apis'
import { untilPasses } from '@kerf/control-plane/progress'
import { describeOnCluster } from '@kerf/control-plane/testing'
import {
  ApiError,
  ApiEventRecorder,
  explainApiError,
  findConnection,
  fixedCredentials,
  HttpKubeClient,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  LeaderElector,
  PrometheusMetrics,
  RecordingLogger,
  requireKinds,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
  type WatchEvent,
} from '@kerf/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }

const clock = new SystemClock()
const random = new SystemRandom()
const metrics = new PrometheusMetrics()
const namespace = 'runtime-test'

const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { suite: 'runtime' } },
  data,
})

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describeOnCluster('the runtime against a real control plane', (cluster) => {
  const clients: HttpKubeClient[] = []
  let client: HttpKubeClient
  const connect = (): HttpKubeClient => {
    const connection = findConnection({ clock, env: {}, kubeconfig: cluster().kubeconfig })
    const made = new HttpKubeClient({ connection, clock, random, logger: silentLogger, metrics })
    clients.push(made)
    return made
  }

  beforeAll(async () => {
    client = connect()
    const wanted = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    await client.create(kinds.Namespace, wanted)
  })
  afterAll(async () => {
    for (const each of clients) await each.close()
  })

  test('reads the version and finds out which kinds are served', async () => {
    expect(await client.raw('/version')).toMatchObject({ major: '1' })
    await requireKinds(client, [kinds.Pod, kinds.Lease, kinds.PodDisruptionBudget])
    const absent = { group: 'example.com', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true }
    expect(await errorOf(requireKinds(client, [absent]))).toMatchObject({ code: 'MissingCrds' })
  })

  test('creates, reads, replaces with a resourceVersion, patches in four ways, and deletes with a precondition', async () => {
    const ref = { namespace, name: 'letters' }
    const created = await client.create(kinds.ConfigMap, configMap('letters', { a: '1' }))
    expect(isAlreadyExists(await errorOf(client.create(kinds.ConfigMap, configMap('letters'))))).toBe(true)
    const updated = await client.update(kinds.ConfigMap, { ...created, data: { a: '2' } })
    expect(isConflict(await errorOf(client.update(kinds.ConfigMap, { ...created, data: { a: '3' } })))).toBe(true)
    await client.patch(kinds.ConfigMap, ref, { type: 'merge', body: { data: { b: '1' } } })
    await client.patch(kinds.ConfigMap, ref, { type: 'strategic', body: { data: { c: '1' } } })
    await client.patch(kinds.ConfigMap, ref, { type: 'json', body: [{ op: 'add', path: '/data/d', value: '1' }] })
    await client.patch(kinds.ConfigMap, ref, { type: 'apply', body: { data: { e: '1' } } })
    const read = await client.get(kinds.ConfigMap, ref)
    expect(read.data).toEqual({ a: '2', b: '1', c: '1', d: '1', e: '1' })
    expect(
      read.metadata.managedFields?.some((each) => each.manager === 'karpenter' && each.operation === 'Apply'),
    ).toBe(true)
    const stale = {
      type: 'merge' as const,
      body: { metadata: { resourceVersion: updated.metadata.resourceVersion }, data: {} },
    }
    expect(isConflict(await errorOf(client.patch(kinds.ConfigMap, ref, stale)))).toBe(true)
    expect(isConflict(await errorOf(client.delete(kinds.ConfigMap, ref, { preconditions: { uid: 'another' } })))).toBe(
      true,
    )
    await client.delete(kinds.ConfigMap, ref, { preconditions: { uid: created.metadata.uid ?? '' } })
    expect(isNotFound(await errorOf(client.get(kinds.ConfigMap, ref)))).toBe(true)
  })

  test('the error of a refused object names its fields', async () => {
    const error = await errorOf(client.create(kinds.ConfigMap, configMap('Not A Name')))
    expect(isInvalid(error)).toBe(true)
    expect(error instanceof ApiError && error.details.causes?.[0]?.field).toBe('metadata.name')
  })

  test('a dry run leaves nothing behind', async () => {
    await client.create(kinds.ConfigMap, configMap('dry'), { dryRun: true })
    expect(isNotFound(await errorOf(client.get(kinds.ConfigMap, { namespace, name: 'dry' })))).toBe(true)
  })

  test('reads a list page by page, and with selectors', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`)
    for (const name of names) await client.create(kinds.ConfigMap, configMap(name))
    const first = await client.list(kinds.ConfigMap, { namespace, labelSelector: 'suite=runtime', limit: 3 })
    expect(first.items).toHaveLength(3)
    expect(first.metadata.continue).toBeTruthy()
    const all = await client.list(kinds.ConfigMap, { namespace, labelSelector: 'suite in (runtime)' })
    expect(all.items.map((item) => item.metadata.name).sort()).toEqual(names)
    const one = await client.list(kinds.ConfigMap, { namespace, fieldSelector: 'metadata.name=page-3' })
    expect(one.items).toHaveLength(1)
  })

  test('watches from a version on, with events in order, until the server ends the watch', async () => {
    const { metadata } = await client.list(kinds.ConfigMap, { namespace, limit: 1 })
    const { resourceVersion = '' } = metadata
    const stop = new AbortController()
    const seen: string[] = []
    const watching = (async () => {
      for await (const event of client.watch(kinds.ConfigMap, {
        namespace,
        resourceVersion,
        timeoutSeconds: 2,
        signal: stop.signal,
      })) {
        if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.metadata.name}`)
      }
    })()
    await client.create(kinds.ConfigMap, configMap('watched'))
    await client.patch(kinds.ConfigMap, { namespace, name: 'watched' }, { type: 'merge', body: { data: { x: '1' } } })
    await client.delete(kinds.ConfigMap, { namespace, name: 'watched' })
    await watching
    expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched'])
  })

  test('an informer equals the server after changes, cut connections and more changes', async () => {
    const own = connect()
    const stop = new AbortController()
    const informers = new SharedInformers({ client: own, clock, random, logger: silentLogger, pageSize: 3 })
    informers.configure(kinds.ConfigMap, { namespace })
    const maps = informers.of(kinds.ConfigMap)
    informers.start(stop.signal)
    await informers.allSynced(stop.signal)
    expect(maps.get(`${namespace}/page-3`)?.kind).toBe('ConfigMap')
    const change = async (round: number): Promise<void> => {
      for (let index = 0; index < 5; index++) await client.create(kinds.ConfigMap, configMap(`round-${round}-${index}`))
      await client.delete(kinds.ConfigMap, { namespace, name: `round-${round}-0` })
      const ref = { namespace, name: `round-${round}-1` }
      await client.patch(kinds.ConfigMap, ref, { type: 'merge', body: { data: { round: String(round) } } })
      await client.delete(kinds.ConfigMap, { namespace, name: 'page-3' })
      await client.create(kinds.ConfigMap, configMap('page-3', { round: String(round) }))
    }
    for (let round = 0; round < 3; round++) {
      await change(round)
      await own.close()
    }
    const fingerprint = (items: Iterable<KubeObject>): string[] =>
      [...items].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort()
    const { items } = await client.list(kinds.ConfigMap, { namespace })
    await untilPasses(() => expect(fingerprint(maps.values())).toEqual(fingerprint(items)), { what: 'all changes' })
    stop.abort(new Error('done'))
    await informers.stopped()
  })

  test('a version that never existed or has expired causes a clear error', async () => {
    const stream = client.watch(kinds.ConfigMap, { namespace, resourceVersion: '1', timeoutSeconds: 1 })
    const events: WatchEvent<ConfigMap>[] = []
    const error = await errorOf(
      (async () => {
        for await (const event of stream) events.push(event)
      })(),
    )
    // The server either returns the complete history since that version, or reports that it has expired. It must not silently omit events.
    if (error === undefined) expect(events.length).toBeGreaterThan(0)
    else expect(error).toMatchObject({ code: 410 })
  })

  test('binds a pod, and reports the eviction of an unknown pod as not found', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'runtime-node' }, spec: {} }
    await client.create(kinds.Node, node)
    const spec = { schedulerName: 'nobody', containers: [{ name: 'web', image: 'nginx' }] }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'bound', namespace }, spec }
    await untilPasses(() => client.create(kinds.Pod, pod), { what: 'a pod in a new namespace' })
    await client.bind({ namespace, name: 'bound' }, 'runtime-node')
    expect((await client.get(kinds.Pod, { namespace, name: 'bound' })).spec.nodeName).toBe('runtime-node')
    expect(isNotFound(await errorOf(client.evict({ namespace, name: 'nobody' })))).toBe(true)
    await client.evict({ namespace, name: 'bound' }, { gracePeriodSeconds: 0 })
    await client.delete(kinds.Node, { name: 'runtime-node' })
  })

  test('the error for wrong credentials says how to fix them', async () => {
    const { server, ca } = cluster()
    const credentials = fixedCredentials({ authorization: 'Bearer wrong' })
    const stranger = new HttpKubeClient({
      connection: { server, tls: { ca }, credentials, origin: 'test' },
      clock,
      random,
      logger: silentLogger,
    })
    clients.push(stranger)
    const error = await errorOf(stranger.list(kinds.Node))
    expect(explainApiError(error)).toMatchObject({ code: 'Unauthorized', exitCode: 1 })
  })

  test('increases the count of a repeated event instead of creating another', async () => {
    const events = new ApiEventRecorder({ client, clock, random, logger: silentLogger })
    const object = await client.get(kinds.ConfigMap, { namespace, name: 'page-1' })
    for (let time = 0; time < 3; time++) {
      events.publish({ object, type: 'Normal', reason: 'Tested', message: 'the same again' })
    }
    await events.close(10_000)
    const { items } = await client.list(kinds.Event, { namespace, fieldSelector: 'reason=Tested' })
    expect(items.map((event) => [event.message, event.count, event.source?.component])).toEqual([
      ['the same again', 3, 'karpenter'],
    ])
  })

  test('two candidates hold a Lease one after the other', async () => {
    const candidate = (identity: string) => {
      const logger = new RecordingLogger()
      const stop = new AbortController()
      const lease = { namespace, name: 'karpenter-leader-election' }
      const elector = new LeaderElector({ client, clock, random, logger, metrics, lease, identity, retryPeriod: 100 })
      const leading = Promise.withResolvers<void>()
      const ended = elector.run(stop.signal, async () => {
        leading.resolve()
        await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
      })
      return { ended, leading: leading.promise, logger, stop }
    }
    const first = candidate('first')
    await first.leading
    const second = candidate('second')
    const isHeld = (): void => expect(second.logger.messages('info')[0]).toContain('held by first')
    await untilPasses(isHeld, { what: 'the second to wait' })
    first.stop.abort()
    await first.ended
    await second.leading
    second.stop.abort()
    await second.ended
    const lease = await client.get(kinds.Lease, { namespace, name: 'karpenter-leader-election' })
    expect(lease.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 1 })
  })
})
