import { type CapacityBuffer, type Condition, groupVersion, karpenterKinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { allCrdManifests } from '../../crds/crd-files.ts'
import { applyManifests } from '../../manifests/apply-manifests.ts'
import { KindDirectory } from '../../manifests/kind-directory.ts'
import { rehearsalProblems } from './rehearsal-report.ts'
import { bufferLines, rehearsedBuffers } from './rehearsed-buffers.ts'

const condition = (type: string, status: 'True' | 'False', message: string): Condition => ({
  ...{ type, status, message, reason: 'Because', lastTransitionTime: '2026-01-01T00:00:00Z' },
})

test('reports whether each CapacityBuffer is kept, and why; a buffer that is not kept is a problem', async () => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  const crds = allCrdManifests()
  await applyManifests({ client, clock, kinds: new KindDirectory(client) }, crds, new AbortController().signal)
  const kind = karpenterKinds.CapacityBuffer
  const add = async (name: string, ...conditions: readonly Condition[]): Promise<void> => {
    const buffer = {
      ...{ apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name, namespace: 'default' } },
      spec: { podTemplateRef: { name }, replicas: 2 },
    } as CapacityBuffer
    await client.create(kind, buffer)
    await client.patch(
      kind,
      { name, namespace: 'default' },
      { type: 'merge', body: { status: { conditions } } },
      { subresource: 'status' },
    )
  }
  const ready = condition('ReadyForProvisioning', 'True', 'resolved')
  await add('kept', ready, condition('Provisioning', 'True', '2 pieces fit on existing nodes'))
  await add('large', ready, condition('Provisioning', 'False', '1 of 2 pieces need new nodes'))
  await add('lost', condition('ReadyForProvisioning', 'False', 'PodTemplate lost is missing'))
  await add('new')
  const buffers = await rehearsedBuffers(client)
  expect(bufferLines(buffers)).toEqual([
    'CapacityBuffers, which Kerf keeps only with the feature gate CapacityBuffer. The rehearsal turns it on:',
    '  default/kept: kept, 2 pieces fit on existing nodes',
    '  default/large: not kept, 1 of 2 pieces need new nodes',
    '  default/lost: not kept, PodTemplate lost is missing',
    '  default/new: not kept, Kerf has not processed it yet',
  ])
  expect(bufferLines([])).toEqual([])
  const figures = { hourlyCost: 1, nodes: 1, waiting: 0, groupNodes: 0, keptNodes: 0 }
  const rehearsal = { seed: 1, before: figures, after: figures, phases: [], peakCost: 1, samples: [], buffers }
  expect(rehearsalProblems(rehearsal)).toEqual([
    'CapacityBuffer default/large is not kept at the end: 1 of 2 pieces need new nodes',
    'CapacityBuffer default/lost is not kept at the end: PodTemplate lost is missing',
    'CapacityBuffer default/new is not kept at the end: Kerf has not processed it yet',
  ])
})
