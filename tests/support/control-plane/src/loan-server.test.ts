import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { borrow } from './borrow.ts'
import { type Loan, type LoanServer, serveLoans } from './loan-server.ts'

interface Access {
  readonly name: string
  readonly processes: readonly number[]
}

let directory = ''
let server: LoanServer | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-loans-'))
})
afterEach(async () => {
  await server?.close()
  rmSync(directory, { recursive: true, force: true })
})

const serve = async (lend: () => Promise<Loan<Access>>): Promise<string> => {
  server = await serveLoans(join(directory, 'socket'), lend)
  return server.path
}

test('a borrower keeps a thing until it returns it', async () => {
  const returned = Promise.withResolvers<string>()
  const path = await serve(async () => ({
    access: { name: 'first', processes: [] },
    giveBack: () => returned.resolve('returned'),
  }))
  const { access, giveBack } = await borrow<Access>(path)
  expect(access).toEqual({ name: 'first', processes: [] })
  giveBack()
  expect(await returned.promise).toBe('returned')
})

test('if nothing can be lent, the borrower gets the reason', async () => {
  const path = await serve(() => Promise.reject(new Error('it did not start')))
  await expect(borrow(path)).rejects.toThrow('it did not start')
})

test('when the server closes, it takes back all things and rejects waiting borrowers', async () => {
  const first = Promise.withResolvers<string>()
  const asked = Promise.withResolvers<void>()
  const loans = [
    async (): Promise<Loan<Access>> => ({
      access: { name: 'first', processes: [] },
      giveBack: () => first.resolve('returned'),
    }),
    (): Promise<Loan<Access>> => {
      asked.resolve()
      return new Promise(() => undefined)
    },
  ]
  const path = await serve(() => loans.shift()?.() ?? Promise.reject(new Error('two are enough')))
  await borrow(path)
  const second = borrow(path)
  const refused = expect(second).rejects.toThrow('hung up')
  await asked.promise
  await server?.close()
  expect(await first.promise).toBe('returned')
  await refused
})
