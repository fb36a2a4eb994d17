import { Command, Help } from 'commander'
import { verbs } from '../../../packages/cli/src/verbs.ts'

const flagsOf = (command: Command): readonly string[] =>
  command.options.map(({ flags, argChoices }) => {
    const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
    return `- \`${flags}\`${choices}`
  })

const exitCodesOf = (command: Command): readonly string[] =>
  [...command.description().matchAll(/Exit code (.+)/g)].map(([, codes]) => `- exit code ${codes}`)

const section = (command: Command, parents: readonly string[]): readonly string[] => {
  const path = [...parents, command.name()]
  const names = command.registeredArguments.map((each) => ` ${each.required ? `<${each.name()}>` : `[${each.name()}]`}`)
  return [
    `### ${path.join(' ')}${names.join('')}`,
    '',
    ...[...flagsOf(command), ...exitCodesOf(command)],
    '',
    ...new Help().visibleCommands(command.helpCommand(false)).flatMap((child) => section(child, path)),
  ]
}

/** Returns every verb of `kerf` with its arguments and flags, as Markdown. The flags of `kerf run` are its settings. */
export const commandLine = async (): Promise<readonly string[]> => {
  const program = new Command('kerf')
  for (const verb of verbs) await verb.register(program)
  return program.commands.flatMap((command) => section(command, ['kerf']))
}
