const NEWLINE = 0x0a

/**
 * Splits a byte stream into lines. Decodes only whole lines, so that characters which span two chunks are decoded correctly. Also
 * yields the rest after the last line break; the consumer must check whether it is complete.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let started: Uint8Array[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end < 0) break
      const rest = chunk.subarray(from, end)
      from = end + 1
      const line = started.length === 0 ? decode(rest) : decode(Buffer.concat([...started, rest]))
      started = []
      if (line !== '') yield line
    }
    if (from < chunk.length) started.push(chunk.subarray(from))
  }
  if (started.length > 0) yield decode(Buffer.concat(started))
}

const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').trimEnd()
