import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import type { TlsSettings } from './connection.ts'
import { CurrentTls } from './current-tls.ts'

test('reads certificates again after a minute, or a second after a failure, and ignores an unreadable file', async () => {
  const clock = new VirtualClock()
  let file: TlsSettings | Error = { ca: 'a' }
  let reads = 0
  const tls = new CurrentTls(
    {
      tls: { ca: 'a' },
      readTls: () => {
        reads++
        if (file instanceof Error) throw file
        return { ...file }
      },
    },
    clock,
  )
  const first = tls.current()
  await clock.advance(60_000)
  expect(tls.current()).toBe(first)
  expect(reads).toBe(1)
  file = { ca: 'b' }
  tls.doubt()
  expect(tls.current()).toBe(first)
  await clock.advance(1_000)
  expect(tls.current()).toEqual({ ca: 'b' })
  file = new Error('being replaced')
  await clock.advance(60_000)
  expect(tls.current()).toEqual({ ca: 'b' })
  expect(reads).toBe(3)
})
