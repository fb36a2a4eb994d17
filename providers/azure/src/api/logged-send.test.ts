import { NoResponseError, type Send } from '@kerf/provider-kit'
import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { loggedSend } from './logged-send.ts'

const signal = new AbortController().signal
const request = {
  method: 'PUT',
  url: new URL('https://management.azure.com/subscriptions/1/vm?api-version=2026-04-01&sig=secret-signature'),
  headers: { authorization: 'Bearer secret-token' },
  body: '{"properties":{"osProfile":{"customData":"secret-data"}}}',
} as const

const logged = (send: Send) => {
  const log = new RecordingLogger()
  return { log, send: loggedSend(send, { clock: new VirtualClock(), log }) }
}

test('a request and its status are logged, without its secrets', async () => {
  const answer = { status: 201, headers: { 'x-ms-request-id': 'request-1' }, text: '{"token":"secret-answer"}' }
  const { log, send } = logged(async () => answer)
  expect(await send(request, signal)).toBe(answer)
  expect(log.lines).toMatchObject([
    {
      level: 'debug',
      message: 'Azure answered',
      fields: {
        ...{ method: 'PUT', host: 'management.azure.com', path: '/subscriptions/1/vm', status: 201 },
        ...{ apiVersion: '2026-04-01', requestId: 'request-1' },
      },
    },
  ])
  expect(JSON.stringify(log.lines)).not.toContain('secret')
})

test('a request without an answer is logged, and fails with the same error', async () => {
  const lost = new NoResponseError('management.azure.com', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
  })
  const { log, send } = logged(async () => {
    throw lost
  })
  await expect(send(request, signal)).rejects.toBe(lost)
  expect(log.lines).toMatchObject([{ level: 'debug', message: 'Azure did not respond' }])
})
