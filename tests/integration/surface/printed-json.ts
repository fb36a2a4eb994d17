/** Returns the JSON that a verb prints. */
export const printedJson = async (
  run: (streams: {
    readonly stdout: { write(text: string): unknown }
    readonly stderr: { write(text: string): unknown }
    readonly env: Readonly<Record<string, string | undefined>>
  }) => unknown,
): Promise<unknown> => {
  let text = ''
  await run({ stdout: { write: (part) => (text += part) }, stderr: { write: () => {} }, env: {} })
  return JSON.parse(text)
}
