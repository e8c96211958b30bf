import { books } from '../sandbox/stage/employers.ts'
import { line, ratios, secondsOf } from './figures.ts'
import { is_smoke } from './sizes.ts'
import { closeAll, startService, type Options, type Service } from './stage.ts'

/** Seconds from when a sandbox is ready until its stage is planted, beside those of its first start. */
export async function planting({ rounds }: Options): Promise<void> {
  const started: number[] = []
  const planted: number[] = []
  for (let round = 0; round < rounds; round++) {
    let service: Service | undefined
    started.push(await secondsOf(async () => (service = await startService({ SANDBOX_STAGE: 'true' }))))
    planted.push(await secondsOf(() => wholeStageOf(service!)))
    await closeAll()
  }
  console.log(line('first start', started, 'seconds'))
  console.log(line('stage', planted, 'seconds after that'))
  console.log(line('ratio', ratios(planted, started), 'of the stage to the first start'))
}

/** All books, or the smallest alone. */
const wanted = is_smoke ? books.slice(-1) : books

/** Waits until a service has said of each book of the stage that it is there. */
const wholeStageOf = ({ server }: Service): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    server.stdout!.on('data', (more: Buffer) => {
      said += more.toString()
      if (wanted.every(({ name }) => said.includes(`${name} is there`))) resolve()
    })
    server.once('exit', () => reject(new Error('The service ended before its stage was there.')))
  })
