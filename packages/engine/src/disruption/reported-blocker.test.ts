import { expect, test } from 'vitest'
import { pod } from '../testing/cluster-builders.ts'
import type { Blocker } from './blocker.ts'
import { blockerRemedy, blockerSentence } from './blocker.ts'
import { type KnownObjects, type ReportedBlocker, readBlocker, reportBlocker } from './reported-blocker.ts'

const web = pod('web')
const name = `${web.metadata.namespace}/web`
const uid = web.metadata.uid ?? ''
const known: KnownObjects = {
  pod: (key) => (key === name ? web : undefined),
  budget: (key) => (key.startsWith('shop/') ? `uid-of-${key.slice('shop/'.length)}` : undefined),
}
const readable = { pods: new Map([[uid, web]]), budgets: new Map([['uid-of-keep', 'shop/keep']]) }
const nobody = { pods: new Map(), budgets: new Map() }

const naming: readonly Blocker[] = [
  { code: 'node.nominated', until: 5, pod: name },
  { code: 'pod.do-not-disrupt', pod: name, until: 5 },
  { code: 'pdb.blocks', pod: name, budget: 'shop/keep' },
  { code: 'pdb.several', pod: name, budgets: ['shop/keep', 'shop/keep'] },
  { code: 'pods.leaving', pods: [name, name] },
  {
    code: 'pods.unschedulable',
    pods: [
      {
        pod: name,
        why: 'nodepool/general: cpu is short by 3 on m-16',
        reasons: [
          {
            code: 'resources.exceeded',
            subject: 'nodepool/general',
            detail: { resource: 'cpu', short: '3', largest: 'm-16' },
          },
        ],
      },
      { pod: name, why: 'would schedule against node/a', waitsFor: 'would schedule against node/a' },
    ],
  },
]

test.each(naming.map((blocker) => [blocker.code, blocker] as const))(
  '%s refers to pods and budgets by UID, and a reader with permissions gets the names back',
  (_, blocker) => {
    const reported = JSON.parse(JSON.stringify(reportBlocker(blocker, known)))
    expect(JSON.stringify(reported)).not.toMatch(new RegExp(`${name}|shop/keep`))
    expect(blockerSentence(readBlocker(reported, readable))).toBe(blockerSentence(blocker))
    expect(blockerRemedy(readBlocker(reported, readable))).toBe(blockerRemedy(blocker))
    expect(blockerSentence(readBlocker(reported, nobody))).not.toMatch(new RegExp(`${name}|shop/keep`))
  },
)

test('an object that does not exist any more is reported without its name', () => {
  const reported = reportBlocker({ code: 'pdb.blocks', pod: 'shop/gone', budget: 'other/gone' }, known)
  expect(JSON.stringify(reported)).not.toContain('gone')
})

test.each(['node.of-a-newer-kerf', 'constructor'])('a blocker with the unknown code %s is read unchanged', (code) => {
  const reported: ReportedBlocker = JSON.parse(JSON.stringify({ code, pod: 'uid-1' }))
  expect(readBlocker(reported, { pods: new Map(), budgets: new Map() })).toEqual({ code, pod: 'uid-1' })
})
