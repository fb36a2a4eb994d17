import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'

const file = join(root, 'docs', 'troubleshooting.md')
const BLOCK = /```console\n\$ kerf ([^\n]+)\n[\s\S]*?\n```/g

const outputOf = (args: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: root }
    // The command exits with code 3 because no node can run a pod. This test checks only the output.
    execFile(
      process.execPath,
      [join('packages', 'cli', 'src', 'main.ts'), ...args.split(' ')],
      { cwd: root, env },
      (_, out, problems) => resolve(`${out}${problems}`.trimEnd()),
    )
  })

test('every command on the page prints the output on the page; vitest -u updates the page', async () => {
  const page = readFileSync(file, 'utf8')
  const commands = [...page.matchAll(BLOCK)].map(([, args = '']) => args)
  expect(commands.length).toBeGreaterThan(7)
  const outputs = new Map(await Promise.all(commands.map(async (args) => [args, await outputOf(args)] as const)))
  const printed = page.replaceAll(
    BLOCK,
    (_, args: string) => `\`\`\`console\n$ kerf ${args}\n${outputs.get(args)}\n\`\`\``,
  )
  await expect(printed).toMatchFileSnapshot(file)
})
