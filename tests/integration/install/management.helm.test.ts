import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { kwok } from '@kerf/provider-kwok/descriptor'
import { type KubeClient, may, mirrors } from '@kerf/runtime'
import { declaredOnly, takeRefusals } from '@kerf/runtime/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { managementRoles, managementTable } from '../../../tools/generators/permissions.ts'
import { IMAGE_PROVIDER } from '../../../tools/image/image-provider.ts'
import { plainManifests } from '../../../tools/release/plain-manifests.ts'
import { chart, helm, named, parseDocuments, type Rendered } from './helm.ts'

const machines: ResourceKind = {
  group: 'cluster.example.com',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
}
/** A provider that the chart supports, with additional permissions for a management cluster. */
const managed: ProviderDescriptor = {
  ...kwok,
  managementPermissions: [
    mirrors(machines, 'which machines there are'),
    may(['delete'], machines, 'ending a machine'),
    may(['get'], kinds.Node, 'reading a node', { when: { env: 'KWOK_SIMULATE_KUBELET', default: true } }),
  ],
}

describe('a provider without a management cluster', () => {
  test('has no role for a management cluster and no table of permissions', () => {
    expect(managementRoles([kwok])).toBe('')
    expect(managementTable(kwok)).toBe('')
  })
})

test('the reference has a table of the permissions in the management cluster', () => {
  const text = managementTable(managed)
  expect(text).toContain('`kwok/management.yaml`')
  expect(text).toContain('| `machines.cluster.example.com` | delete |  |  | ending a machine |')
  expect(text).toContain('| `nodes` | get |  | `KWOK_SIMULATE_KUBELET` | reading a node |')
})

test('a client of the management cluster may use only the permissions for that cluster, not those for the cluster of the nodes', async () => {
  const client = { list: async () => ({ items: [], metadata: {} }) } as unknown as KubeClient
  const management = declaredOnly(client, managed.managementPermissions ?? [])
  expect((await management.list(machines)).items).toEqual([])
  const [own] = kwok.nodeClasses
  await expect(management.list(own.resource.kind)).rejects.toThrow('kwoknodeclasses')
  expect(takeRefusals()).toHaveLength(1)
})

describe.skipIf(findHelm() === undefined)('a provider with a management cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-management-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(chart('karpenter'), folder, { recursive: true })
  writeFileSync(join(folder, 'templates', 'rbac-management.yaml'), managementRoles([managed]))

  const rendered = async (...values: readonly string[]): Promise<readonly Rendered[]> => {
    const flags = ['settings.clusterName=demo', ...values].map((value) => `--set=${value}`)
    const { code, stdout, stderr } = await helm(['template', 'karpenter', folder, '--namespace=kube-system', ...flags])
    if (code !== 0) throw new Error(stderr)
    return parseDocuments(stdout)
  }
  const role = 'karpenter-management'

  test('has a separate role in the chart, for clusters that are their own management cluster', async () => {
    const objects = await rendered('settings.provider=kwok')
    expect(named(objects, 'ClusterRole', role).rules).toEqual([
      // In observe mode, the chart keeps rules that only read and drops rules that write.
      { apiGroups: ['cluster.example.com'], resources: ['machines'], verbs: ['list', 'watch'] },
      { apiGroups: ['cluster.example.com'], resources: ['machines'], verbs: ['delete'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    ])
    expect(named(objects, 'ClusterRoleBinding', role)).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'karpenter', namespace: 'kube-system' }],
    })
    const others = objects.filter(({ kind, metadata }) => kind.endsWith('Role') && metadata.name !== role)
    expect(JSON.stringify(others)).not.toContain('machines')
  })

  test('has no such role if it is disabled, or with another provider', async () => {
    for (const values of [
      ['settings.provider=kwok', 'managementRole.create=false'],
      [`settings.provider=${IMAGE_PROVIDER}`],
    ]) {
      const names = (await rendered(...values)).map(({ metadata }) => metadata.name)
      expect(names).toContain('karpenter-core')
      expect(names).not.toContain(role)
    }
  })

  test('has a plain manifest for a separate management cluster, with only an account and its role', () => {
    const files = plainManifests(findHelm() ?? '', [managed, kwok], folder)
    expect(files.map((file) => Object.keys(file))).toEqual([
      ['provider', 'crds', 'karpenter', 'management'],
      ['provider', 'crds', 'karpenter'],
    ])
    const objects = parseDocuments(files[0]?.management ?? '')
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ServiceAccount karpenter',
      `ClusterRole ${role}`,
      `ClusterRoleBinding ${role}`,
    ])
  })
})
