import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type KeyInput, listenToKeys } from './keys.ts'

class Keyboard extends EventEmitter implements KeyInput {
  readonly isTTY: boolean
  isRaw = false
  isPaused = true

  constructor(isTTY: boolean) {
    super()
    this.isTTY = isTTY
  }

  setRawMode(on: boolean): void {
    this.isRaw = on
  }

  override on(event: 'data', listener: (chunk: Buffer | string) => void): this {
    return super.on(event, listener)
  }

  resume(): void {
    this.isPaused = false
  }

  pause(): void {
    this.isPaused = true
  }
}

test('reports keys at once, reports Ctrl-C as q, and ignores arrow keys', () => {
  const keyboard = new Keyboard(true)
  const heard: string[] = []
  const dispose = listenToKeys(keyboard, (key) => heard.push(key))
  expect(keyboard).toMatchObject({ isRaw: true, isPaused: false })
  for (const chunk of ['?', Buffer.from('\u0003'), '\u001b[A', 'xq']) keyboard.emit('data', chunk)
  expect(heard).toEqual(['?', 'q', 'x', 'q'])
  dispose()
  keyboard.emit('data', '?')
  expect(heard).toHaveLength(4)
  expect(keyboard).toMatchObject({ isRaw: false, isPaused: true })
})

test('does nothing if the input is not a terminal', () => {
  const pipe = new Keyboard(false)
  listenToKeys(pipe, () => {})()
  expect(pipe).toMatchObject({ isRaw: false, isPaused: true })
  expect(pipe.listenerCount('data')).toBe(0)
})
