import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { pathRoles } from './role-commands.ts'
import { type RolesOptions, runRoles } from './run-roles.ts'

const run = async (options: Partial<RolesOptions>) => {
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const status = await runRoles(
    { user: 'kerf@pve', token: 'kerf', role: 'Kerf', output: 'pveum', ...options },
    { stdout },
  )
  return { status, text }
}

const fileWith = (content: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-proxmox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'permissions.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Returns Proxmox's output for the privileges of a token with the printed roles. */
const granted = (): Record<string, Record<string, number>> =>
  Object.fromEntries(
    pathRoles('Kerf').map(({ path, privileges }) => [path, Object.fromEntries(privileges.map((each) => [each, 1]))]),
  )

test('the commands create one role for each path, a user and a token', async () => {
  const { text, status } = await run({ without: ['cloud-init', 'templates'] })
  expect(status).toBe(0)
  expect(text).toContain("pveum role add KerfStorage --privs 'Datastore.AllocateSpace Datastore.Audit'\n")
  expect(text).toContain('pveum acl modify /storage --users kerf@pve --roles KerfStorage\n')
  expect(text).toContain('pveum acl modify / --users kerf@pve --roles Kerf --propagate 0\n')
  expect(text).toContain('pveum user token add kerf@pve kerf --privsep 0\n')
  expect(text).not.toMatch(/Sys\.(?!Audit)|Permissions\.|Realm\.|User\./)
})

test('creating templates needs further privileges, which can be omitted', async () => {
  const { text } = await run({})
  expect(text).toContain('Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit')
  expect(text).toContain('pveum acl modify /mapping/pci --users kerf@pve --roles KerfMappingPci')
  expect((await run({ without: ['templates', 'pools'] })).text).not.toMatch(/mapping|AccessNetwork|Pool/)
  const some = granted()
  delete some['/mapping/pci']
  const check = fileWith(some)
  expect((await run({ check })).status).toBe(3)
  expect((await run({ check, without: ['templates'] })).text).toBe('Nothing is missing.\n')
})

test('a token with the printed roles lacks nothing; each missing privilege is listed with what fails without it', async () => {
  expect(await run({ check: fileWith(granted()) })).toEqual({ status: 0, text: 'Nothing is missing.\n' })
  expect((await run({ check: fileWith({ data: granted() }) })).status).toBe(0)
  const some = granted()
  delete some['/vms']?.['VM.Clone']
  const { status, text } = await run({ check: fileWith(some), output: 'json' })
  expect([status, JSON.parse(text).missing]).toEqual([
    3,
    [{ path: '/vms', privilege: 'VM.Clone', capability: 'launch' }],
  ])
  expect((await run({ check: fileWith(some) })).text).toMatch(/VM\.Clone on \/vms\s+clone templates/)
})

test('the table states the purpose of each privilege', async () => {
  expect((await run({ output: 'table' })).text).toMatch(/\/pool\s+Pool\.Allocate\s+put guests into resource pools/)
})

test.each([
  ['a user without a realm', { user: 'kerf' }, '--user "kerf" is not a user such as kerf@pve'],
  ['a token with a blank', { token: 'a b' }, '--token "a b" must begin with a letter'],
])('%s is refused', async (_what, options, problem) => {
  const error = await run(options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(String(error)).toContain(problem)
})

test.each([
  ['no JSON', '{', 'it is not JSON'],
  ['a list', [], 'it has no paths with privileges'],
])('%s is not the output of pveum', async (_what, content, problem) => {
  const error = await run({ check: fileWith(content) }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(String(error)).toContain(problem)
})
