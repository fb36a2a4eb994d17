import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { unlessGone } from './unless-gone.ts'

const missing = new Error('no such server')
const isGone = (error: unknown): boolean => error === missing
const thrownBy = (failure: Error) =>
  unlessGone(() => Promise.reject(failure), isGone, 'server 1 is gone').catch((error: unknown) => error)

test('an instance that the cloud does not know is gone; any other failure is kept', async () => {
  expect(await unlessGone(async () => 'running', isGone, 'server 1 is gone')).toBe('running')
  const gone = await thrownBy(missing)
  expect(gone).toBeInstanceOf(NodeClaimNotFoundError)
  expect(gone).toMatchObject({ message: expect.stringContaining('server 1 is gone'), cause: missing })
  const broken = new Error('the connection broke')
  expect(await thrownBy(broken)).toBe(broken)
})
