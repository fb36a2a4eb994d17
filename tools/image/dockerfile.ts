import {
  type Cmd,
  DockerfileParser,
  type Entrypoint,
  type From,
  type Instruction,
  type PropertyInstruction,
} from 'dockerfile-ast'

/** The container settings in the last stage of a Dockerfile. */
export interface ImagePlan {
  readonly base: string
  readonly entrypoint: readonly string[]
  /** The arguments after the entrypoint, which a container may replace. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly workingDirectory: string
  /** The exposed ports. */
  readonly ports: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** The files to copy: their paths in the build context, and their destinations. */
  readonly copies: readonly { readonly from: string; readonly to: string; readonly stage?: string }[]
}

const argumentsOf = (instruction: Instruction): readonly string[] =>
  instruction.getArguments().map((argument) => argument.getValue())

/** Parses a Dockerfile. Throws if it has no stage, or no entrypoint in exec form, which an image without a shell needs. */
export const readDockerfile = (content: string): ImagePlan => {
  const file = DockerfileParser.parse(content)
  const variables = new Map(
    file.getInitialARGs().map((arg) => [arg.getProperty()?.getName(), arg.getProperty()?.getValue()]),
  )
  const froms: readonly From[] = file.getFROMs()
  const start = froms.at(-1)
  if (start === undefined) throw new Error('the Dockerfile has no FROM')
  const stage = file.getInstructions().filter((each) => each.getRange().start.line > start.getRange().start.line)
  const entrypoint = stage.find((each): each is Entrypoint => each.getKeyword() === 'ENTRYPOINT')
  const json = entrypoint === undefined ? [] : entrypoint.getJSONStrings().map((each) => each.getJSONValue())
  if (json.length === 0) throw new Error('the Dockerfile has no ENTRYPOINT in exec form')
  const command = stage.find((each): each is Cmd => each.getKeyword() === 'CMD')
  const of = (keyword: string): readonly Instruction[] => stage.filter((each) => each.getKeyword() === keyword)
  const last = (keyword: string): string => of(keyword).flatMap(argumentsOf).at(-1) ?? ''
  const properties = (keyword: 'ENV' | 'LABEL'): Readonly<Record<string, string>> =>
    Object.fromEntries(
      of(keyword)
        .flatMap((each) => (each as PropertyInstruction).getProperties())
        .map((property) => [property.getName(), property.getValue() ?? '']),
    )
  return {
    base: (start.getImage() ?? '').replace(/\$\{(\w+)\}/g, (_all, name: string) => variables.get(name) ?? ''),
    entrypoint: json,
    command: command === undefined ? [] : command.getJSONStrings().map((each) => each.getJSONValue()),
    env: properties('ENV'),
    user: last('USER'),
    workingDirectory: last('WORKDIR'),
    ports: of('EXPOSE').flatMap(argumentsOf),
    labels: properties('LABEL'),
    copies: file
      .getCOPYs()
      .filter((each) => stage.includes(each))
      .map((copy) => {
        const [from = '', to = ''] = argumentsOf(copy)
        const source = copy.getFromFlag()?.getValue()
        return { from, to, ...(source === undefined || source === null ? {} : { stage: source }) }
      }),
  }
}
