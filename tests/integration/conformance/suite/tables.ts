import { kinds } from '@kerf/apis'
import { beforeAll, describe, expect, test } from 'vitest'
import { callHttp, type HttpAccess, streamHttp } from '../plain-http.ts'
import { type ConformanceTarget, configMap, eventually, node, ownNamespace, pod, uniqueName } from '../target.ts'
import { deployment } from './objects.ts'
import { ownWidgets } from './widget-kind.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const PARTIAL = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

interface Table {
  readonly kind: string
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[]
  readonly rows: readonly {
    readonly cells: readonly unknown[]
    readonly object: { readonly kind: string; readonly metadata: { readonly name: string } }
  }[]
}

/** Defines tests of the rows and columns that kubectl prints. */
export const tables = (target: ConformanceTarget, http: () => HttpAccess): void => {
  describe('tables', () => {
    const namespace = ownNamespace(target)
    const widgets = ownWidgets(target)
    const table = async (path: string): Promise<Table> => {
      const { body, status } = await callHttp(http(), { path, headers: { accept: TABLE } })
      expect(status).toBe(200)
      return body as Table
    }
    const columns = ({ columnDefinitions }: Table, wide: boolean): string =>
      columnDefinitions
        .filter(({ priority }) => wide || priority === 0)
        .map(({ name }) => name)
        .join(' ')

    beforeAll(async () => {
      await target.client().create(kinds.Pod, pod(namespace, 'shown', {}, { labels: { table: 'x' } }))
      await target.client().create(kinds.Deployment, deployment(namespace, 'shown'))
      await target.client().create(widgets, {
        apiVersion: `${widgets.group}/v1`,
        kind: widgets.kind,
        metadata: { namespace, name: 'shown' },
        spec: { size: 4 },
      })
    })

    test('of pods', async () => {
      const pods = await table(`/api/v1/namespaces/${namespace}/pods?labelSelector=table`)
      expect(pods.kind).toBe('Table')
      expect(columns(pods, false)).toBe('Name Ready Status Restarts Age')
      expect(columns(pods, true)).toBe('Name Ready Status Restarts Age IP Node Nominated Node Readiness Gates')
      expect(pods.rows[0]?.cells.slice(0, 4)).toEqual(['shown', '0/1', 'Pending', '0'])
      expect(pods.rows[0]?.cells.slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>'])
      expect(pods.rows[0]?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'shown' } })
    })

    test('of nodes', async () => {
      const name = uniqueName('table')
      await target
        .client()
        .create(kinds.Node, node(name, { unschedulable: true }, { labels: { 'node-role.kubernetes.io/worker': '' } }))
      const nodes = await table(`/api/v1/nodes?fieldSelector=metadata.name%3D${name}`)
      expect(columns(nodes, false)).toBe('Name Status Roles Age Version')
      expect(columns(nodes, true)).toBe(
        'Name Status Roles Age Version Internal-IP External-IP OS-Image Kernel-Version Container-Runtime',
      )
      expect(nodes.rows[0]?.cells.slice(0, 3)).toEqual([name, 'Unknown,SchedulingDisabled', 'worker'])
      await target.client().delete(kinds.Node, { name })
    })

    test.each([
      [
        'apps/v1',
        'deployments',
        'Name Ready Up-to-date Available Age',
        'Name Ready Up-to-date Available Age Containers Images Selector',
      ],
      [
        'apps/v1',
        'replicasets',
        'Name Desired Current Ready Age',
        'Name Desired Current Ready Age Containers Images Selector',
      ],
      ['apps/v1', 'statefulsets', 'Name Ready Age', 'Name Ready Age Containers Images'],
      ['apps/v1', 'daemonsets', 'Name Desired Current Ready Up-to-date Available Node Selector Age', undefined],
      ['policy/v1', 'poddisruptionbudgets', 'Name Min Available Max Unavailable Allowed Disruptions Age', undefined],
      ['v1', 'configmaps', 'Name Data Age', undefined],
      ['v1', 'services', 'Name Type Cluster-IP External-IP Port(s) Age', undefined],
      [
        'v1',
        'persistentvolumeclaims',
        'Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age',
        undefined,
      ],
      ['batch/v1', 'jobs', 'Name Status Completions Duration Age', undefined],
      ['coordination.k8s.io/v1', 'leases', 'Name Holder Age', undefined],
      ['v1', 'events', 'Last Seen Type Reason Object Message', undefined],
    ])('of %s %s', async (groupVersion, plural, narrow, wide) => {
      const prefix = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`
      const found = await table(`${prefix}/namespaces/${namespace}/${plural}`)
      expect(columns(found, false)).toBe(narrow)
      if (wide !== undefined) expect(columns(found, true)).toBe(wide)
    })

    test.each([
      ['/api/v1/namespaces', 'Name Status Age'],
      [
        '/apis/storage.k8s.io/v1/storageclasses',
        'Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age',
      ],
      ['/apis/scheduling.k8s.io/v1/priorityclasses', 'Name Value Global-Default Age PreemptionPolicy'],
      ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'Name Created At'],
    ])('of %s', async (path, narrow) => expect(columns(await table(path), false)).toBe(narrow))

    test('of custom resources, with the columns of their definitions', async () => {
      const path = `/apis/${widgets.group}/v1/namespaces/${namespace}/${widgets.plural}`
      const found = await table(path)
      expect(columns(found, false)).toBe('Name Size Age')
      expect(columns(found, true)).toBe('Name Size Colour Age')
      expect(found.rows[0]?.cells.slice(0, 3)).toEqual(['shown', 4, 'red'])
      const one = await table(`${path}/shown`)
      expect(one.rows).toHaveLength(1)
    })

    test('of a single object, and with the complete object in each row', async () => {
      const one = await table(`/apis/apps/v1/namespaces/${namespace}/deployments/shown?includeObject=Object`)
      expect(one.rows[0]?.cells.slice(0, 4)).toEqual(['shown', '0/0', 0, 0])
      expect(one.rows[0]?.object).toMatchObject({ kind: 'Deployment', spec: { replicas: 0 } })
    })

    test('in watches', async () => {
      const controller = new AbortController()
      const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1&fieldSelector=metadata.name%3Dtabled`
      const lines: unknown[] = []
      const done = (async () => {
        for await (const line of streamHttp(http(), { path, headers: { accept: TABLE }, signal: controller.signal }))
          lines.push(line)
      })().catch(() => undefined)
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'tabled', { a: '1' }))
      await eventually(target, async () => expect(lines).toHaveLength(1))
      controller.abort()
      await done
      expect(lines[0]).toMatchObject({
        type: 'ADDED',
        object: { kind: 'Table', rows: [{ cells: ['tabled', 1, expect.any(String)] }] },
      })
    })

    test('can contain only the metadata of objects', async () => {
      const { body } = await callHttp(http(), {
        path: `/api/v1/namespaces/${namespace}/pods`,
        headers: { accept: PARTIAL },
      })
      expect(body).toMatchObject({
        kind: 'PartialObjectMetadataList',
        items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'shown' } }],
      })
      expect(Object.keys((body as { items: readonly object[] }).items[0] ?? {}).sort()).toEqual([
        'apiVersion',
        'kind',
        'metadata',
      ])
    })
  })
}
