import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { sendBody } from './send-body.ts'

/** Simulates a response whose client reads nothing until the test allows it. */
class SlowResponse extends EventEmitter {
  readonly written: string[] = []
  destroyed = false
  isEnded = false

  write(bytes: Uint8Array): boolean {
    this.written.push(Buffer.from(bytes).toString())
    return false
  }

  end(): void {
    this.isEnded = true
  }
}

const start = () => {
  const response = new SlowResponse()
  const sent = sendBody(response as unknown as ServerResponse, [Buffer.from('a'), Buffer.from('b')])
  return { response, sent }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a chunk is written when the client has read the one before', async () => {
  const { response, sent } = start()
  await settle()
  expect(response.written).toEqual(['a'])
  response.emit('drain')
  await settle()
  expect(response.written).toEqual(['a', 'b'])
  response.emit('drain')
  await sent
  expect(response.isEnded).toBe(true)
  expect(response.eventNames()).toEqual([])
})

test('nothing more is written when the client has disconnected', async () => {
  const { response, sent } = start()
  response.destroyed = true
  response.emit('close')
  await sent
  expect(response.written).toEqual(['a'])
  expect(response.eventNames()).toEqual([])
})
