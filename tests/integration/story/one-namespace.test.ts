import type { KubeObject } from '@kerf/apis'
import { findComponents } from '@kerf/control-plane'
import { untilPasses } from '@kerf/control-plane/progress'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../../packages/cli/src/plan/plan-document.ts'
import { runPlan } from '../../../packages/cli/src/plan/run-plan.ts'
import { reportedRefusals } from '../../../packages/dashboard/plugin/src/model/reported.ts'
import { HIDDEN, OneNamespace } from './one-namespace.ts'

const PROXY = '/api/v1/namespaces/karpenter/services/karpenter:8080/proxy'

describe.skipIf('missing' in findComponents())('a user with permissions on one namespace, on a real API server', () => {
  let harness: OneNamespace
  let dev: string
  beforeAll(async () => {
    harness = await OneNamespace.start()
    dev = await harness.token('dev')
    await untilPasses(async () => {
      const { status, text } = await harness.get(dev, `${PROXY}/kerf/v1/decisions`)
      expect(status, text).toBe(200)
      expect(JSON.parse(text).decisions).toHaveLength(3)
    }, harness.wait('three decisions'))
  })
  afterAll(async () => {
    await harness?.stop()
  })

  test('sees the full reasons for her own pods and none for the pods of others', async () => {
    const decisions = await harness.get(dev, `${PROXY}/kerf/v1/decisions`)
    const mine = await harness.get(dev, '/api/v1/namespaces/team-a/pods')
    const theirs = await harness.get(dev, `/api/v1/namespaces/${HIDDEN}-team/pods`)
    const all = await harness.get(dev, '/api/v1/pods')
    expect([decisions.status, mine.status, theirs.status, all.status]).toEqual([200, 200, 403, 403])
    expect(decisions.text).not.toMatch(new RegExp(`${HIDDEN}|team-a|mine|disk|nvme`))
    const { items } = JSON.parse(mine.text) as { items: readonly KubeObject[] }
    const reported = reportedRefusals(JSON.parse(decisions.text), items)
    expect([...reported.values()].map(({ message }) => message)).toEqual([
      'nodepool/general: label disk has no known values',
    ])
    expect([...reported.keys()]).toEqual(items.map(({ metadata }) => metadata.uid))
    // This is the message of the Event in the user's namespace.
    const events = await harness.get(dev, '/api/v1/namespaces/team-a/events')
    expect(events.text).toContain('nodepool/general: label disk has no known values')
  })

  test('the other endpoints do not reveal other namespaces either', async () => {
    const instanceTypes = await harness.get(dev, `${PROXY}/kerf/v1/instance-types`)
    expect(JSON.parse(instanceTypes.text).pools).toEqual({ general: 0 })
    expect(instanceTypes.text).not.toMatch(new RegExp(`${HIDDEN}|team-a|nvme`))
    expect((await harness.get(dev, `${PROXY}/kerf/v1/nodes/nobody`)).status).toBe(404)
  })

  test('kerf plan gets types and prices from it: found by its chart’s label, by the name of its service, or by its address', async () => {
    const planned = async (instanceTypes: string): Promise<PlanDocument> => {
      let stdout = ''
      const streams = { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => true }, env: {} }
      const kubeconfig = harness.plane.kubeconfig
      const asked = {
        instanceTypes,
        kubeconfig,
        filename: [],
        output: 'json',
        diff: false,
        explainCost: false,
      } as const
      await runPlan(asked, streams)
      return JSON.parse(stdout) as PlanDocument
    }
    const kwok = await planned('kwok')
    for (const source of ['controller', 'controller:karpenter/karpenter:8080', harness.direct])
      expect((await planned(source)).unschedulable, source).toEqual(kwok.unschedulable)
    await expect(planned('controller:karpenter/other:8080')).rejects.toThrow(
      /karpenter\/services\/other:8080: no such service or port.*controller:NAMESPACE\/SERVICE:PORT/,
    )
  })

  test('the API server does not forward tokens, so only scrapers that call the port directly get the metrics', async () => {
    const scraper = await harness.token('scraper')
    const ask = async (token?: string): Promise<number> => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const answer = await fetch(`${harness.direct}/metrics`, { headers })
      const text = await answer.text()
      expect(text.includes('karpenter_build_info')).toBe(answer.status === 200)
      return answer.status
    }
    expect(await ask()).toBe(401)
    expect(await ask('guessed')).toBe(401)
    expect(await ask(dev)).toBe(403)
    expect(await ask(scraper)).toBe(200)
    expect((await harness.get(dev, `${PROXY}/metrics`)).status).toBe(401)
  })
})
