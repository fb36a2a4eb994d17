import { describe, expect, test } from 'vitest'
import { ask, questionFolder, questionNames, readFacts, readQuestion } from './ask.ts'

test('there are at least forty questions, and half of them also run on a real control plane', () => {
  expect(questionNames.length).toBeGreaterThanOrEqual(40)
  expect(questionNames.filter((name) => readQuestion(name).onCluster === true).length).toBeGreaterThanOrEqual(20)
})

describe.each(questionNames)('%s', (name) => {
  const question = readQuestion(name)
  let printed: ReturnType<typeof ask> | undefined
  const print = (): ReturnType<typeof ask> => {
    printed ??= ask(name, question)
    return printed
  }

  test('the facts', async () => {
    const { says = [], ...facts } = question.facts
    const data = await ask(name, question, 'json')
    expect(readFacts(data)).toEqual(facts)
    const { exit, stdout, stderr } = await print()
    expect(exit).toBe(facts.exit)
    for (const text of says) expect(`${stderr}${stdout}`).toContain(text)
  })

  test('the whole output', async () => {
    const { exit, stdout, stderr } = await print()
    const flags = Object.entries(question.options ?? {}).map(
      ([option, value]) =>
        ` --${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}${value === true ? '' : ` ${value}`}`,
    )
    const output = `# ${question.question}\n$ kerf plan -f cluster.yaml${flags.join('')}\n${stderr}${stdout}exit code ${exit}\n`
    await expect(output).toMatchFileSnapshot(`${questionFolder(name)}output.txt`)
  })
})
