import { describe, expect, test } from 'vitest'
import { FollowedList } from './followed-list.ts'
import { Steps } from './testing/steps.ts'

const pod = (name: string, resourceVersion = '1', uid = name) => ({ metadata: { name, uid, resourceVersion } })
const event = (type: string, object: unknown) => ({ type, object })

interface Watch {
  readonly version: string
  readonly onEvent: (event: unknown) => void
  readonly over: () => void
  isEnded: boolean
}

/**
 * A fake API server whose responses the test controls. Its events follow “Efficient detection of changes” on
 * Kubernetes’ page about API concepts.
 */
class Server {
  readonly watches: Watch[] = []
  lists = 0
  answer: () => { readonly items: readonly unknown[]; readonly version: string } = () => ({ items: [], version: '1' })

  list = async () => {
    this.lists += 1
    return this.answer()
  }

  watch = (version: string, onEvent: (event: unknown) => void, over: () => void) => {
    const made = { version, onEvent, over, isEnded: false }
    this.watches.push(made)
    return () => {
      made.isEnded = true
    }
  }

  get last(): Watch {
    return this.watches.at(-1) as Watch
  }
}

const settle = () => new Promise<void>((done) => setImmediate(done))

const following = async (server: Server) => {
  const steps = new Steps()
  let changes = 0
  const list = new FollowedList(server, () => changes++, steps)
  const names = () => (list.now.items as readonly ReturnType<typeof pod>[] | null)?.map(({ metadata }) => metadata.name)
  await settle()
  return { list, steps, names, changes: () => changes }
}

describe('a followed list', () => {
  test('is read once and then updated by events in order, and stays the same array between events', async () => {
    const server = new Server()
    server.answer = () => ({ items: [pod('a'), pod('b')], version: '7' })
    const { list, names, changes } = await following(server)
    expect([names(), server.last.version, changes()]).toEqual([['a', 'b'], '7', 1])
    const before = list.now
    expect(list.now).toBe(before)
    server.last.onEvent(event('ADDED', pod('c', '8')))
    server.last.onEvent(event('MODIFIED', pod('a2', '9', 'a')))
    server.last.onEvent(event('DELETED', pod('b', '10')))
    expect([names(), server.lists, changes()]).toEqual([['a2', 'c'], 1, 4])
    expect(before.items).toHaveLength(2)
  })

  test('is read again at once when the API server responds again, and has one watch', async () => {
    const server = new Server()
    server.answer = () => ({ items: [pod('a')], version: '7' })
    const { list, names } = await following(server)
    const [silent] = server.watches
    // The first reading of the list has not ended when the second one begins.
    server.answer = () => ({ items: [pod('b')], version: '9' })
    list.refresh()
    list.refresh()
    await settle()
    expect([names(), silent?.isEnded, server.watches.filter(({ isEnded }) => !isEnded).length]).toEqual([
      ['b'],
      true,
      1,
    ])
    list.stop()
    list.refresh()
    expect(server.lists).toBe(3)
  })

  test('resumes from the last version when the API server ends the watch', async () => {
    const server = new Server()
    const { steps, names } = await following(server)
    server.last.onEvent(event('ADDED', pod('a', '8')))
    server.last.onEvent(event('BOOKMARK', { metadata: { resourceVersion: '20' } }))
    server.last.over()
    steps.advance(1_000)
    expect([server.watches.length, server.last.version, server.lists]).toEqual([2, '20', 1])
    server.last.onEvent(event('ADDED', pod('b', '21')))
    expect(names()).toEqual(['a', 'b'])
  })

  test('is read again when its version has expired, and keeps the known items meanwhile', async () => {
    const server = new Server()
    server.answer = () => ({ items: [pod('a')], version: '7' })
    const { steps, names } = await following(server)
    server.answer = () => ({ items: [pod('b')], version: '30' })
    const [first] = server.watches
    first?.onEvent(event('ERROR', { kind: 'Status', code: 410 }))
    expect([first?.isEnded, names()]).toEqual([true, ['a']])
    steps.advance(1_000)
    await settle()
    expect([names(), server.last.version]).toEqual([['b'], '30'])
  })

  test('is read again, with increasing delays, if a watch ends without any event', async () => {
    const server = new Server()
    const { steps } = await following(server)
    const waits: number[] = []
    for (let round = 0; round < 7; round++) {
      const { lists } = server
      server.last.over()
      let waited = 0
      while (server.lists === lists) {
        steps.advance(1_000)
        waited += 1
      }
      waits.push(waited)
      await settle()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
    // An event resets the delay.
    server.last.onEvent(event('ADDED', pod('a', '8')))
    server.last.over()
    steps.advance(1_000)
    expect([server.watches.length, server.lists]).toEqual([9, 8])
  })

  test('a forbidden list is reported at once and requested again after half a minute', async () => {
    const server = new Server()
    server.answer = () => {
      throw Object.assign(new Error('Forbidden'), { status: 403 })
    }
    const { list, steps, names, changes } = await following(server)
    expect([list.now.items, list.now.error, changes()]).toEqual([null, expect.objectContaining({ status: 403 }), 1])
    server.answer = () => ({ items: [pod('a')], version: '7' })
    steps.advance(29_999)
    expect(server.lists).toBe(1)
    steps.advance(1)
    await settle()
    expect([names(), list.now.error]).toEqual([['a'], undefined])
  })

  test('an outage keeps the known list and reports the error', async () => {
    const server = new Server()
    server.answer = () => ({ items: [pod('a')], version: '7' })
    const { list, steps, names } = await following(server)
    server.answer = () => {
      throw new TypeError('Failed to fetch')
    }
    server.last.over()
    steps.advance(1_000)
    await settle()
    expect([names(), list.now.error]).toEqual([['a'], expect.any(TypeError)])
  })

  test('leaves no watch or timer when it is stopped', async () => {
    const waiting = new Server()
    const first = await following(waiting)
    waiting.last.over()
    first.list.stop()
    expect(first.steps.timers).toBe(0)

    const watching = new Server()
    const second = await following(watching)
    second.list.stop()
    watching.last.over()
    expect([watching.last.isEnded, second.steps.timers]).toEqual([true, 0])

    const reading = new Server()
    const steps = new Steps()
    const third = new FollowedList(reading, () => undefined, steps)
    third.stop()
    await settle()
    expect([reading.watches.length, steps.timers, third.now.items]).toEqual([0, 0, null])
  })
})
