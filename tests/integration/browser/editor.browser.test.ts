import { groupVersion, karpenterKinds, kinds, type NodeClaim, type NodePool } from '@kerf/apis'
import { untilPasses, untilTrue } from '@kerf/control-plane/progress'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterWait } from '../story/cluster-state.ts'
import { BrowserDashboard } from './browser-dashboard.ts'

let dashboard: BrowserDashboard

const poolNamed = (name: string): NodePool =>
  ({
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
          expireAfter: '720h',
          // The tests use only the text of these NodePools. The taint keeps the sandbox's pods away from them.
          taints: [{ key: 'edited', effect: 'NoSchedule' }],
        },
      },
      disruption: { consolidateAfter: '30s', budgets: [{ nodes: '10%' }] },
    },
  }) as NodePool

const claims = async (): Promise<readonly NodeClaim[]> => (await dashboard.client.list(karpenterKinds.NodeClaim)).items
const pool = (name: string): Promise<NodePool> => dashboard.client.get(karpenterKinds.NodePool, { name })
const changeSpec = (name: string, spec: object) =>
  dashboard.client.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body: { spec } })

beforeAll(async () => {
  dashboard = await BrowserDashboard.start()
  for (const name of ['shared', 'fought-over', 'typed', 'left', 'gone'])
    await dashboard.client.create(karpenterKinds.NodePool, poolNamed(name))
  await untilTrue(
    async () => {
      const all = await claims()
      const isLaunched = ({ status }: NodeClaim): boolean =>
        status?.conditions?.some((each) => each.type === 'Launched' && each.status === 'True') ?? false
      return all.length > 0 && all.every(isLaunched)
    },
    clusterWait(dashboard.client, 'every claim to be launched'),
  )
})
afterAll(async () => {
  await dashboard?.close()
})

const lines = (page: Page) => page.locator('.monaco-editor .view-lines').last()
/** Selects a word of the text and types its replacement. */
const replaceWord = async (page: Page, word: string, by: string): Promise<void> => {
  await lines(page).getByText(word, { exact: true }).first().dblclick()
  await page.keyboard.type(by)
}
const openEditor = async (name: string): Promise<Page> => {
  const page = await dashboard.open(`karpenter/nodepools/${name}`, 'kerf')
  await page.getByRole('button', { name: 'Edit and preview the effect' }).click()
  await lines(page).getByText('NodePool').first().waitFor()
  return page
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isOpen = async (page: Page): Promise<boolean> => (await page.getByRole('dialog').count()) > 0

describe('an edit', () => {
  test('shows its effect and its diff, accepts input in the diff view as well, and saves', async () => {
    const page = await openEditor('general')
    await replaceWord(page, '720h', '240h')
    const drifting = (await claims()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === 'general')
    const drift = drifting.length === 1 ? '1 node drifts' : `${drifting.length} nodes drift`
    await page.getByText(`${drift}. The controller replaces drifted nodes`).waitFor()
    await page.getByText(/now, about .* afterwards/).waitFor()
    await page.getByRole('tab', { name: 'Compare' }).click()
    const compared = page.locator('.monaco-diff-editor')
    await compared.getByText('240h').waitFor()
    await replaceWord(page, '240h', '241h')
    // Undo also reverts input that was made before the user switched to the other view.
    await page.keyboard.press('Control+z')
    await compared.getByText('240h').waitFor()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await lines(page).getByText('240h').waitFor()
    await lines(page).click()
    for (let presses = 0; presses < 8; presses++) await page.keyboard.press('Control+z')
    await lines(page).getByText('720h').waitFor()
    await replaceWord(page, '720h', '240h')
    await button(page, 'Save').click()
    await page.getByText('general saved').waitFor()
    expect((await pool('general')).spec.template.spec.expireAfter).toBe('240h')
    await dashboard.discard(page)
  })

  test('shows changes of other users immediately and never overwrites them', async () => {
    const page = await openEditor('shared')
    await replaceWord(page, '720h', '240h')
    await changeSpec('shared', { disruption: { consolidateAfter: 'Never' } })
    await page.getByText(/Someone else has changed this object .*spec\.disruption\.consolidateAfter/).waitFor()
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await button(page, 'Merge these changes into my text').click()
    await lines(page).getByText('Never').waitFor()
    await button(page, 'Save').click()
    await page.getByText('shared saved').waitFor()
    const { spec } = await pool('shared')
    expect([spec.template.spec.expireAfter, spec.disruption?.consolidateAfter]).toEqual(['240h', 'Never'])
    await dashboard.discard(page)
  })

  test('lets the user choose if both users changed the same field', async () => {
    const page = await openEditor('fought-over')
    await replaceWord(page, '720h', '240h')
    await changeSpec('fought-over', { template: { spec: { expireAfter: '100h' } } })
    await button(page, 'Merge these changes into my text').click()
    const choice = page.getByRole('row', { name: /spec\.template\.spec\.expireAfter/ })
    expect(await choice.innerText()).toMatch(/240h[\s\S]*100h/)
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await choice.getByRole('button', { name: 'Take theirs' }).click()
    await lines(page).getByText('100h').waitFor()
    await replaceWord(page, '30s', '31s')
    await button(page, 'Save').click()
    await page.getByText('fought-over saved').waitFor()
    const { spec } = await pool('fought-over')
    expect([spec.template.spec.expireAfter, spec.disruption?.consolidateAfter]).toEqual(['100h', '31s'])
    await dashboard.discard(page)
  })

  test('that is invalid is refused, and the error is shown at its line', async () => {
    const page = await openEditor('typed')
    const before = await pool('typed')
    await replaceWord(page, 'In', 'Near')
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('listitem').first()
    await problem.waitFor()
    expect(await problem.innerText()).toMatch(
      /^line \d+, column \d+: spec\.template\.spec\.requirements\[0\]\.operator: Unsupported value: "Near"/,
    )
    // An alias inside the value of its own anchor must not close the editor.
    await lines(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('x: &x\n  y: *x')
    await problem.getByText('anchor "x" contains itself').waitFor()
    await lines(page).getByText('Near').first().waitFor()
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    expect((await pool('typed')).spec).toEqual(before.spec)
    await dashboard.discard(page)
  })
})

test('proposes the limit that would let a pending pod run, unsaved and next to the stored limit; after saving, the pod gets its node', async () => {
  const { spec } = poolNamed('capped')
  await dashboard.client.create(karpenterKinds.NodePool, {
    ...poolNamed('capped'),
    spec: { ...spec, limits: { cpu: '0', memory: '1000Gi' } },
  })
  await dashboard.client.create(kinds.Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'capped', namespace: 'default' },
    spec: {
      nodeSelector: { 'karpenter.sh/nodepool': 'capped' },
      tolerations: [{ key: 'edited', operator: 'Exists' }],
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '100m' } } }],
    },
  })
  const page = await dashboard.open('pods/default/capped', 'kerf')
  await page.getByText('raise the limits of NodePool capped').waitFor()
  await button(page, 'Open in the editor').click()
  const compared = page.locator('.monaco-diff-editor')
  const said = async (side: string): Promise<string> =>
    (await compared.locator(`.editor.${side} .view-lines`).innerText()).replaceAll('\u00a0', ' ')
  const areRaised = async () => expect(await said('modified')).toMatch(/limits:\s+cpu: "?[1-9]/)
  await untilPasses(areRaised, { what: 'the raised limits in the editor' })
  expect(await said('original')).toMatch(/limits:\s+cpu: "?0/)
  expect((await pool('capped')).spec.limits).toEqual({ cpu: '0', memory: '1000Gi' })
  await button(page, 'Save').click()
  await page.getByText('capped saved').waitFor()
  const { limits } = (await pool('capped')).spec
  expect([Number(limits?.['cpu']) > 0, limits?.['memory']]).toEqual([true, '1000Gi'])
  const hasNode = async (): Promise<boolean> => {
    const { spec: placed } = await dashboard.client.get(kinds.Pod, { name: 'capped', namespace: 'default' })
    return (placed.nodeName ?? '') !== ''
  }
  await untilTrue(hasNode, clusterWait(dashboard.client, 'the pod to have a node'))
  await dashboard.discard(page)
})

describe('an unsaved text', () => {
  test('is discarded only by a button, not by Escape, by going back, or by a reload', async () => {
    const page = await dashboard.open('karpenter/nodepools', 'kerf')
    await page.getByRole('link', { name: 'left', exact: true }).click()
    await button(page, 'Edit and preview the effect').click()
    await replaceWord(page, '720h', '240h')
    // The Escape key moves the focus out of the text editor, and the next typed key moves it back.
    await page.keyboard.press('Escape')
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
    expect(await focused()).toContain('Tab indents')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('TEXTAREA')
    for (const _press of [1, 2, 3]) await page.keyboard.press('Escape')
    await page.getByText('You have unsaved changes.').waitFor()
    expect(await isOpen(page)).toBe(true)
    await button(page, 'Keep editing').click()
    await page.evaluate('history.back()')
    await page.getByText('You have unsaved changes.').waitFor()
    await lines(page).getByText('240h').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/nodepools\/left$/)
    await button(page, 'Keep editing').click()
    // The browser asks for confirmation. If the user stays on the page, the text is kept.
    const asked = page.waitForEvent('dialog')
    const reloading = page.reload().catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await Promise.race([reloading, lines(page).getByText('240h').waitFor()])
    await page.evaluate('history.back()')
    await button(page, 'Discard my changes').click()
    await page.waitForURL(/\/karpenter\/nodepools$/)
    expect(await isOpen(page)).toBe(false)
    expect((await pool('left')).spec.template.spec.expireAfter).toBe('720h')
    await dashboard.discard(page)
  })

  test('stays after its object is deleted: a message reports the deletion, and the object can be stored again', async () => {
    const page = await openEditor('gone')
    await replaceWord(page, '720h', '240h')
    await dashboard.client.delete(karpenterKinds.NodePool, { name: 'gone' })
    await page.getByText('Someone else deleted this object.').waitFor()
    await lines(page).getByText('240h').waitFor()
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await button(page, 'Re-create it from my text').click()
    await page.getByText('gone saved').waitFor()
    expect((await pool('gone')).spec.template.spec.expireAfter).toBe('240h')
    await dashboard.discard(page)
  })
})
