import type { Pod } from '@kerf/apis'
import { ClusterForecast } from '@kerf/controllers'
import { ApiError, SeededRandom, VirtualClock } from '@kerf/runtime'
import { type Interceptor, SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { applyManifests } from '../manifests/apply-manifests.ts'
import { KindDirectory } from '../manifests/kind-directory.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { buildSnapshot } from './load-snapshot.ts'
import { observedDeps, observeManifests } from './observed-cluster.ts'
import { listCluster } from './read-live-cluster.ts'

const { signal } = new AbortController()
const CLUSTER = `
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: 250m}}
scheduling: {nodeSelector: {kata: "true"}, tolerations: [{key: kata, operator: Exists}]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: small, namespace: default}
spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {runtimeClassName: kata, containers: [{name: c, image: i}]}
`

/** Reads the cluster from an API server in the same way as a command does. */
const live = async (text: string, interceptor: Interceptor = {}): Promise<readonly Manifest[]> => {
  const clock = new VirtualClock()
  const api = new SandboxApi({ clock, random: new SeededRandom(1) })
  const client = api.client()
  await applyManifests({ client, clock, kinds: new KindDirectory(client) }, parseManifests(text, 'f.yaml'), signal)
  return await listCluster(api.client({ interceptor }), 'the cluster')
}

/**
 * Returns the requests of daemon pods, and the fields that restrict on which nodes they run, in two lists: as plans compute them, and as
 * explanations of nodes compute them.
 */
const daemons = async (manifests: readonly Manifest[]): Promise<readonly (readonly object[])[]> => {
  const deps = observedDeps(await observeManifests(manifests), new VirtualClock())
  const explained = (await new ClusterForecast(deps).provisioning(signal)).snapshot.daemonPods
  const asked = ({ spec }: Pod): object => ({
    overhead: spec.overhead,
    nodeSelector: spec.nodeSelector,
    isTolerant: spec.tolerations?.some(({ key }) => key === 'kata'),
    requests: spec.containers[0]?.resources?.requests,
  })
  return [buildSnapshot(manifests, () => []).snapshot.daemonPods, explained].map((pods) => pods.map(asked))
}

test('a daemon without a pod requests what admission would set, in plans and explanations, from files and from a live cluster', async () => {
  const one = { overhead: { cpu: '250m' }, nodeSelector: { kata: 'true' }, isTolerant: true, requests: { cpu: '100m' } }
  expect(await daemons(parseManifests(CLUSTER, 'f.yaml'))).toEqual([[one], [one]])
  expect(await daemons(await live(CLUSTER))).toEqual([[one], [one]])
})

test('without permission to list LimitRanges, no LimitRange applies', async () => {
  const before: Interceptor['before'] = ({ verb, kind }) => {
    if (verb === 'list' && kind?.kind === 'LimitRange')
      throw new ApiError({ code: 403, reason: 'Forbidden', message: 'limitranges is forbidden' })
  }
  const [planned] = await daemons(await live(CLUSTER, { before }))
  expect(planned).toMatchObject([{ overhead: { cpu: '250m' } }])
  expect(planned).not.toMatchObject([{ requests: expect.anything() }])
})

test('a stored DaemonSet whose pods admission refuses runs on no node; in a file it is an error', async () => {
  const refused = CLUSTER.replace('{runtimeClassName: kata', '{runtimeClassName: kata, nodeSelector: {kata: "false"}')
  expect(await daemons(await live(refused))).toEqual([[], []])
  await expect(daemons(parseManifests(refused, 'f.yaml'))).rejects.toThrow(/^f\.yaml:\d+: Pod agent: .*conflict/)
})

test('if a LimitRange in the files refuses a pod in the files, the error has the message of the API server', () => {
  const files = `
{apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{type: Pod, max: {cpu: "1"}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i, resources: {limits: {cpu: "2"}}}]}}`
  expect(() => buildSnapshot(parseManifests(files, 'f.yaml'), () => [])).toThrow(
    'f.yaml:4: Pod a: pods "a" is forbidden: maximum cpu usage per Pod is 1, but limit is 2',
  )
})
