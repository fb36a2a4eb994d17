import { kinds, type Node } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { ApiError, isExpired } from '../kube-client/api-error.ts'
import { node, served } from '../testing/http-fixture.ts'

describe('a watch', () => {
  const eventLine = (type: string, name: string, resourceVersion: string): string =>
    JSON.stringify({ type, object: { ...node(name), metadata: { name, resourceVersion } } })

  const collect = async (chunks: readonly (string | Buffer)[], cut = false) => {
    const { client, seen } = await served(async (_request, response) => {
      response.writeHead(200)
      response.flushHeaders()
      for (const chunk of chunks) {
        await new Promise((resolve) => response.write(chunk, resolve))
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (cut) response.destroy()
      else response.end()
    })
    const events: string[] = []
    let failure: unknown
    try {
      for await (const event of client.watch<Node>(kinds.Node, { resourceVersion: '5', timeoutSeconds: 30 })) {
        events.push(
          event.type === 'BOOKMARK'
            ? `BOOKMARK ${event.resourceVersion}`
            : `${event.type} ${event.object.metadata.name}`,
        )
      }
    } catch (error) {
      failure = error
    }
    return { events, failure, url: seen[0]?.url }
  }

  test('requests bookmarks and yields events, no matter how the stream is split into chunks', async () => {
    const text = `${eventLine('ADDED', 'grün', '6')}\n${eventLine('MODIFIED', 'b', '7')}\n\n${eventLine('BOOKMARK', '', '9')}\n`
    const bytes = Buffer.from(text)
    for (const size of [1, 7, 64, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const { events, failure, url } = await collect(chunks)
      expect(failure).toBeUndefined()
      expect(events).toEqual(['ADDED grün', 'MODIFIED b', 'BOOKMARK 9'])
      expect(url).toBe('/api/v1/nodes?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=30')
    }
  })

  test.each([
    ['a line that is not JSON', 'oops\n', 'a line that is not JSON'],
    [
      'a long line, of which it quotes 80 characters',
      `${'x'.repeat(81)}\n`,
      `a line that is not JSON: "${'x'.repeat(80)}…"`,
    ],
    ['a line of 80 characters', `${'x'.repeat(80)}\n`, `a line that is not JSON: "${'x'.repeat(80)}"`],
    [
      'an error without a status',
      `${JSON.stringify({ type: 'ERROR', object: node('a') })}\n`,
      'an error without a status',
    ],
    ['an incomplete last line', '{"type":"ADD', 'a line that is not JSON'],
    ['an event without an object', '{"type":"ADDED"}\n', 'a line without an object'],
    [
      'an event of an unknown type',
      `${JSON.stringify({ type: 'RENAMED', object: node('a') })}\n`,
      'an event of unknown type',
    ],
  ])('throws for %s instead of losing an event', async (_what, text, words) => {
    const { events, failure } = await collect([`${eventLine('ADDED', 'a', '6')}\n`, text])
    expect(events).toEqual(['ADDED a'])
    expect(failure).toMatchObject({ code: 0, reason: 'MalformedAnswer' })
    expect(String(failure)).toContain(words)
  })

  test('throws the error that the server reports in the stream', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' }
    const { failure } = await collect([`${JSON.stringify({ type: 'ERROR', object: status })}\n`])
    expect(isExpired(failure)).toBe(true)
  })

  test('throws Unreachable if the connection is lost', async () => {
    const { events, failure } = await collect([`${eventLine('ADDED', 'a', '6')}\n`], true)
    expect(events).toEqual(['ADDED a'])
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ reason: 'Unreachable' })
  })

  test('ends with the signal’s reason when aborted', async () => {
    const stop = new AbortController()
    const { client } = await served((_request, response) => response.write(`${eventLine('ADDED', 'a', '6')}\n`))
    const watching = (async () => {
      for await (const _event of client.watch(kinds.Node, { signal: stop.signal })) stop.abort(new Error('seen enough'))
    })()
    await expect(watching).rejects.toThrow('seen enough')
  })
})
