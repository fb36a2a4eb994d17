import { expect, test } from 'vitest'
import type { HttpRequest } from './exchange.ts'
import { gatedSend } from './gated-send.ts'

test.each([
  ['GET', '/vms/a', true],
  ['HEAD', '/vms/a', true],
  ['POST', '/resources', true],
  ['POST', '/vms/a/start', false],
  ['PUT', '/vms/a', false],
  ['PATCH', '/vms/a', false],
  ['DELETE', '/resources', false],
] as const)('behind a closed gate %s %s is sent: %s', async (method, path, isSent) => {
  const sent: HttpRequest[] = []
  const send = gatedSend(
    async (request) => {
      sent.push(request)
      return { status: 200, headers: {}, text: '' }
    },
    {
      gate: {
        check: () => {
          throw new Error('closed')
        },
      },
      isQuestion: ({ pathname }) => pathname === '/resources',
    },
  )
  const outcome = send({ method, url: new URL(`https://cloud${path}`) }, new AbortController().signal)
  if (isSent) await outcome
  else await expect(outcome).rejects.toThrow('closed')
  expect(sent).toHaveLength(isSent ? 1 : 0)
})
