import type { Taint } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import recorded from './upstream-user-data.json' with { type: 'json' }
import { ackUserData, customUserData, type NodeBootstrap, nodeTaints } from './user-data.ts'

const node: NodeBootstrap = {
  attachScript: 'curl http://x/attach.sh | bash -s -- --runtime docker --runtime-version 19.03.15 --token t\r\n',
  clusterId: 'c1',
  labels: { b: '2', a: '1' },
  taints: [
    { key: 'k', value: 'v', effect: 'NoSchedule' },
    { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  ],
  kubelet: { maxPods: 7 },
}

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString()
const config = Buffer.from('{"kubelet_config":{"maxPods":7}}').toString('base64')

describe('the user data of a node of an ACK cluster', () => {
  test('is the script of ACK with labels, kubelet configuration and taints', () => {
    expect(textOf(ackUserData(node))).toBe(
      [
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="//"',
        '',
        '--//',
        'Content-Type: text/x-shellscript; charset="us-ascii"',
        '',
        '#!/bin/bash',
        '',
        `curl http://x/attach.sh | bash -s -- --runtime docker --runtime-version 19.03.15 --token t --labels k8s.aliyun.com=true,ack.aliyun.com=c1,a=1,b=2 --node-config ${config} --taints k=v:NoSchedule,karpenter.sh/unregistered:NoExecute`,
        '',
        '',
        '--//--',
        '',
      ].join('\n'),
    )
  })

  test('the container runtime of the node pool replaces the script’s', () => {
    const text = textOf(ackUserData({ ...node, runtime: { name: 'containerd', version: '1.6.36' } }))
    expect(text).toContain('--runtime containerd --runtime-version 1.6.36 --token t')
    expect(text).not.toContain('docker')
  })

  test('labels are merged with those of the script', () => {
    const text = textOf(ackUserData({ ...node, attachScript: 'attach --labels x=y --token t' }))
    expect(text).toContain('attach --labels x=y,k8s.aliyun.com=true,ack.aliyun.com=c1,a=1,b=2 --token t --node-config')
  })

  test('the user’s parts follow, except those with stage="pre"', () => {
    const userData = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/x-shellscript',
      '',
      'echo late',
      '--b',
      'Content-Type: text/x-shellscript; stage="pre"',
      '',
      'echo early',
      '--b--',
    ].join('\n')
    const text = textOf(ackUserData({ ...node, userData }))
    const at = ['echo early', 'attach.sh', 'echo late'].map((each) => text.indexOf(each))
    expect(at).toEqual(at.toSorted((a, b) => a - b))
    expect(at).not.toContain(-1)
  })

  test('plain text is a script, and cloud-config is not', () => {
    expect(textOf(ackUserData({ ...node, userData: 'echo hi' })).match(/text\/x-shellscript/g)).toHaveLength(2)
    expect(textOf(ackUserData({ ...node, userData: '#cloud-config\na: b' }))).toContain(
      'Content-Type: text/cloud-config',
    )
  })

  test('an invalid document, and one that is too long for ECS, are refused', () => {
    expect(() => ackUserData({ ...node, userData: 'MIME-Version: 1.0\n' })).toThrow('spec.userData is not valid MIME')
    expect(() => ackUserData({ ...node, userData: 'x'.repeat(16_000) })).toThrow('and ECS accepts 16384')
    expect(() => customUserData('x'.repeat(16_385))).toThrow('and ECS accepts 16384')
  })
})

test('a cluster that ACK does not manage gets only the user’s text', () => {
  expect([textOf(customUserData('echo hi')), customUserData(undefined)]).toEqual(['echo hi', ''])
})

test('a node has the taints of its claim, without duplicates', () => {
  const spec = { nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, requirements: [] }
  const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const
  const own = { key: 'a', effect: 'NoSchedule' } as const
  expect(nodeTaints({ spec: { ...spec, taints: [own] } })).toEqual([own, unregistered])
  expect(nodeTaints({ spec: { ...spec, startupTaints: [{ ...unregistered, value: 'true' }] } })).toEqual([
    { ...unregistered, value: 'true' },
  ])
})

/** `upstream-user-data.json` contains the output of cloudpilot-ai/karpenter-provider-alibabacloud cb536aff for each input. */
test.each(recorded)(
  'upstream makes the same user data of %j',
  ({ script, labels, taints, kubelet, userData, result }) => {
    const node = { attachScript: script, clusterId: 'c0123456789', labels, taints: taints as readonly Taint[], kubelet }
    const made = ackUserData({ ...node, ...(userData === undefined ? {} : { userData }) })
    expect(Buffer.from(made, 'base64').toString()).toBe(result)
  },
)
