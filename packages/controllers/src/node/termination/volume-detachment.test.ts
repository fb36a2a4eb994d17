import { kinds, type PersistentVolumeClaim, type VolumeAttachment } from '@kerf/apis'
import { node, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { VolumeDetachment } from './volume-detachment.ts'

// Tests of the volume stage of termination (`docs/spec/termination.md#node-finalizer`).

const now = Date.parse('2026-01-01T01:00:00Z')
const attachment = (name: string, volume: string | undefined, nodeName = 'n'): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name },
  spec: {
    attacher: 'csi.example.com',
    nodeName,
    source: volume === undefined ? {} : { persistentVolumeName: volume },
  },
})
const claim = (name: string, volumeName: string, namespace = 'default'): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { volumeName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
})

/**
 * Creates the attachments and PersistentVolumeClaims of this test. Volume `x` is attached as `va-x`. The PersistentVolumeClaims `data` and
 * `stays-scratch` are bound to attached volumes. `data` in another namespace is bound to a volume that is not attached.
 */
const volumes = (): VolumeDetachment => {
  const { informers } = manualState()
  const detachment = new VolumeDetachment(informers)
  informers.put(kinds.VolumeAttachment, attachment('va-pv', 'pv'), attachment('va-tmp', 'tmp'))
  informers.put(kinds.VolumeAttachment, attachment('va-inline', undefined), attachment('va-far', 'far', 'other'))
  informers.put(kinds.PersistentVolumeClaim, claim('data', 'pv'), claim('stays-scratch', 'tmp'))
  informers.put(kinds.PersistentVolumeClaim, claim('data', 'unattached', 'elsewhere'))
  return detachment
}
const tolerating = { tolerations: [{ operator: 'Exists' }] } as const
const data = { name: 'data', persistentVolumeClaim: { claimName: 'data' } }
const scratch = { name: 'scratch', ephemeral: {} }
const pending = (...pods: Parameters<VolumeDetachment['pending']>[1]) => volumes().pending(node('n'), pods, now)

describe('the volumes that a terminating node waits for', () => {
  test('are the attached volumes that have a PersistentVolume', () => {
    expect(pending()).toEqual(['va-pv', 'va-tmp'])
    expect(volumes().pending(node('other'), [], now)).toEqual(['va-far'])
    expect(volumes().pending(node('empty'), [], now)).toEqual([])
  })

  test('do not include volumes of pods that stay, neither of their claims nor of generic ephemeral volumes', () => {
    expect(pending(pod('stays', { spec: { ...tolerating, volumes: [data] } }))).toEqual(['va-tmp'])
    expect(pending(pod('stays', { spec: { ...tolerating, volumes: [scratch] } }))).toEqual(['va-pv'])
    expect(pending(pod('stays', { spec: { ...tolerating, volumes: [{ name: 'x' }, data, scratch] } }))).toEqual([])
    expect(pending(pod('stays', { spec: tolerating }))).toEqual(['va-pv', 'va-tmp'])
  })

  test('include volumes of pods that leave, and of claims with the same name in another namespace', () => {
    expect(pending(pod('goes', { spec: { volumes: [data] } }))).toEqual(['va-pv', 'va-tmp'])
    const elsewhere = pod('stays', { metadata: { namespace: 'elsewhere' }, spec: { ...tolerating, volumes: [data] } })
    expect(pending(elsewhere)).toEqual(['va-pv', 'va-tmp'])
  })
})
