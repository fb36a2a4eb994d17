import { fileURLToPath } from 'node:url'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { DashboardServer } from '@kerf/dashboard'
import { findConnection, SystemClock } from '@kerf/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../../packages/cli/src/crds/crd-files.ts'
import {
  checkText,
  compiled,
  editorText,
  forSaving,
  schemaOfCrd,
} from '../../../../packages/dashboard/plugin/src/model/editing.ts'
import { at, type Fields, listAt, textAt } from '../../../../packages/dashboard/plugin/src/model/read.ts'
import { type Edit, rightEdits, wrongEdits } from './edits.ts'

const crdOf = (kind: string): unknown =>
  allCrdFiles().find(({ manifest }) => manifest.spec.names.kind === kind)?.manifest
const schemas = {
  pool: compiled(schemaOfCrd(crdOf('NodePool'), 'v1')),
  class: compiled(schemaOfCrd(crdOf('EC2NodeClass'), 'v1')),
} as const
const paths = {
  pool: 'apis/karpenter.sh/v1/nodepools/general',
  class: 'apis/karpenter.k8s.aws/v1/ec2nodeclasses/default',
} as const

const nameOf = ({ of, from, to }: Edit): string => `${of}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`
const parseLine = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length
const edited = (original: unknown, { from, to }: Edit): string => {
  const text = editorText(original)
  expect(text).toContain(from)
  return text.replace(from, () => to)
}

/**
 * Returns the field errors of an API server in the format of the editor. Omits causes whose field is `<nil>`, because the editor does not
 * show them: decoder errors, and the note that other errors prevented the check of rules.
 */
const saidBy = (status: unknown): readonly string[] => {
  const unknown = Array.from(
    (textAt(status, 'message') ?? '').matchAll(/unknown field "([^"]+)"/g),
    ([, field]) => `${field}: unknown field`,
  )
  const causes = listAt(status, 'details', 'causes')
    .filter((cause) => textAt(cause, 'field') !== '<nil>')
    .map((cause) => `${textAt(cause, 'field') ?? ''}: ${textAt(cause, 'message') ?? ''}`)
  return [...new Set([...unknown, ...causes])].sort()
}

describeOnCluster('the editor and the dry run of a real API server', (cluster) => {
  let server: DashboardServer
  const originals: Record<Edit['of'], unknown> = { pool: undefined, class: undefined }

  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(new URL(`clusters/real/${path}`, server.url))
    return answer.json()
  }
  /** Sends the object as the editor does. */
  const dryRun = async (of: Edit['of'], object: Fields): Promise<{ readonly code: number; readonly body: unknown }> => {
    const query = 'fieldManager=headlamp&fieldValidation=Strict&dryRun=All'
    const answer = await fetch(new URL(`clusters/real/${paths[of]}?${query}`, server.url), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(forSaving(object, originals[of])),
    })
    return { code: answer.status, body: await answer.json() }
  }

  beforeAll(async () => {
    const { kubectl, kubeconfig } = cluster()
    const apply = async (file: string, input?: string): Promise<void> => {
      const { code, stderr } = await kubectl(['apply', '--server-side', '-f', file], input)
      expect([code, stderr.replace(/Warning.*\n/g, '')]).toEqual([0, ''])
    }
    await apply(
      '-',
      allCrdFiles()
        .map(({ yaml }) => yaml)
        .join('---\n'),
    )
    await untilCrdsEstablished(kubectl)
    await apply(fileURLToPath(new URL('stored.yaml', import.meta.url)))
    const connection = findConnection({ clock: new SystemClock(), env: {}, kubeconfig })
    const files = { frontend: '/nowhere', plugin: '/nowhere', icons: '/nowhere' }
    server = await DashboardServer.start({ files, clusters: [{ name: 'real', connection }] })
    originals.pool = await get(paths.pool)
    originals.class = await get(paths.class)
  })
  afterAll(() => server?.close())

  test('there are sixty invalid edits and twenty-five valid ones, all different', () => {
    expect([wrongEdits.length, rightEdits.length]).toEqual([60, 25])
    expect(new Set([...wrongEdits, ...rightEdits].map(nameOf)).size).toBe(85)
  })

  describe('both refuse', () => {
    test.each(wrongEdits.map((edit) => [nameOf(edit), edit] as const))('%s', async (_name, edit) => {
      const text = edited(originals[edit.of], edit)
      const { object, problems } = checkText(text, schemas[edit.of], originals[edit.of])
      expect(object).toBeDefined()
      const { code, body } = await dryRun(edit.of, object ?? {})
      expect(code, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
      const errors = problems.filter(({ severity }) => severity === 'error')
      const line = parseLine(text, edit.at ?? edit.to.split('\n')[0] ?? '')
      expect(errors.map((error) => error.line)).toContain(line)
      if (edit.isInPlainWords === true) return
      const told = [...new Set(errors.map(({ message }) => message))].sort()
      const said = saidBy(body)
      expect(said).not.toEqual([])
      // If a field is unknown, a server reports only that error.
      if (at(body, 'reason') === 'BadRequest') expect(told).toEqual(expect.arrayContaining([...said]))
      else expect(told).toEqual(said)
    })
  })

  describe('both accept', () => {
    test.each(rightEdits.map((edit) => [nameOf(edit), edit] as const))('%s', async (_name, edit) => {
      const text = edited(originals[edit.of], edit)
      const { object, problems } = checkText(text, schemas[edit.of], originals[edit.of])
      const { code, body } = await dryRun(edit.of, object ?? {})
      expect([code, at(body, 'kind')]).toEqual([200, at(originals[edit.of], 'kind')])
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    })
  })
})
