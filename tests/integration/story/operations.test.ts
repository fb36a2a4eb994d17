import type { NodePool } from '@kerf/apis'
import { type ControlPlane, findComponents, runProgram, startControlPlane } from '@kerf/control-plane'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { KerfProcess } from './kerf-process.ts'
import { bareEnvironment, kerfCommand } from './start-kerf.ts'

const components = findComponents()
const why = 'missing' in components ? ` (skipped: no ${components.missing.join(', ')})` : ''

describe.skipIf('missing' in components)(`operations for a while, on a real control plane${why}`, () => {
  let plane: ControlPlane | undefined
  let running: KerfProcess | undefined

  const kubectl = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = (await plane?.kubectl(args, input)) ?? { code: 1, stdout: '', stderr: 'no plane' }
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const kerf = async (...args: readonly string[]) => {
    const [node, ...before] = kerfCommand
    return await runProgram(node, [...before, ...args], { ...bareEnvironment(), KUBECONFIG: plane?.kubeconfig ?? '' })
  }
  const annotationsOf = async () =>
    (JSON.parse(await kubectl(['get', 'nodepool', 'general', '-o', 'json'])) as NodePool).metadata.annotations ?? {}

  beforeAll(async () => {
    plane = await startControlPlane()
    for (const { manifest } of allCrdFiles()) await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))
    await untilCrdsEstablished(kubectl)
    for (const object of [kwokNodeClass('default'), nodePool('general'), nodePool('other')])
      await kubectl(['apply', '-f', '-'], JSON.stringify(object))
    running = KerfProcess.start(plane.kubeconfig, ['--disable-leader-election'], { KERF_PROVIDER: 'kwok' })
    await kubectl(['wait', '--for=condition=Ready', 'nodepools', '--all', '--timeout=10m'])
  })
  afterAll(async () => {
    await running?.kill()
    await plane?.stop()
  })

  test('kubectl shows the pause of one NodePool, and the pause ends after its duration', async () => {
    const { code, stdout } = await kerf('pause', 'general', '--for', '8s', '--owner', 'alice', '--reason', 'roll-out')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^NodePool general: no voluntary disruption until .*, by alice\n$/),
    ])
    await kubectl(['wait', '--for=condition=Paused', 'nodepool/general', '--timeout=10m'])
    const path = '{.status.conditions[?(@.type=="Paused")].message}'
    expect(await kubectl(['get', 'nodepool', 'general', '-o', `jsonpath=${path}`])).toContain('by alice: roll-out')
    expect(await kubectl(['get', 'nodepool', 'other', '-o', `jsonpath=${path}`])).toBe('')
    for (let look = 0; (await annotationsOf())['kerf.sh/pause'] !== undefined; look++) {
      if (look > 200) throw new Error('the pause does not end')
    }
    const events = await kubectl(['get', 'events', '-A', '--field-selector=involvedObject.name=general', '-o', 'name'])
    expect(events).not.toBe('')
  })

  test('all of them, a cordon, consolidation now, and resume', async () => {
    const all = await kerf('pause', '--for=1h', '--owner=bob')
    expect(all.stdout.split('\n').filter((line) => line.includes('by bob')).length).toBe(2)
    expect((await kerf('cordon-pool', 'general', '--owner=bob')).code).toBe(0)
    expect((await kerf('consolidate', 'general', '--now', '--owner=bob')).code).toBe(0)
    for (const condition of ['Paused', 'Cordoned', 'ConsolidatingNow'])
      await kubectl(['wait', `--for=condition=${condition}`, 'nodepool/general', '--timeout=10m'])
    const { stdout } = await kerf('resume', 'general')
    expect(stdout).toBe(
      'NodePool general: ended: Paused, requested by bob; Cordoned, requested by bob; ConsolidatingNow, requested by bob\n',
    )
    expect((await kerf('resume', 'general')).stdout).toBe('NodePool general: nothing to end\n')
    expect(Object.keys(await annotationsOf()).filter((key) => key.startsWith('kerf.sh/'))).toEqual([])
  })

  test('the error for wrong usage contains a remedy', async () => {
    expect(await kerf('pause', 'nobody', '--owner=bob')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no NodePool is named nobody; existing NodePools: general, other'),
    })
    expect(await kerf('pause', '--for=soon', '--owner=bob')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--for soon: not a duration'),
    })
    expect((await kerf('consolidate', 'general', '--owner=bob')).code).not.toBe(0)
    expect((await kerf('pause')).stderr).toContain('--owner')
  })
})
